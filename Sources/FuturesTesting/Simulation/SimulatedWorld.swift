// SimulatedWorld: the jobs, the timers and the clock of a simulation.

import Futures

/// The jobs, the timers and the clock of a simulation, and the loop that runs them on the calling thread.
// Safe to share: everything but `foreign` is accessed by the thread that runs the simulation only.
final class SimulatedWorld: World, FaultSource, @unchecked Sendable {
    private struct Foreign {
        var jobs: [SimulatedTaskJob] = []
        var isOver = false
    }

    private enum Step { case ran, timeIsUp, nothing }

    /// All schedulers that the simulation has used, so that each keeps its place: a choice is a number among their
    /// jobs.
    private var backends: [SimulatedBackend] = []
    /// The number of jobs that may run now, of each backend.
    private var candidates = CountTree()
    private var indices: [ObjectIdentifier: Int] = [:]
    private var executors: [ObjectIdentifier: SimulatedExecutor] = [:]
    private var tasks = SimulatedTasks()
    private var timers = Agenda()
    private var waitDepth = 0
    private var lastNumber = 0
    private let start = ContinuousClock.now
    private(set) var elapsed = Duration.zero
    private(set) var history: [SimulationStep] = []
    private(set) var chooser: Chooser
    private var numbers: SplitMix64
    private var stepsLeft: Int
    private let foreign = Locked(Foreign())
    let faults = FaultList()
    let watchdog = Watchdog()
    /// Whether the simulation runs where code of the main actor does.
    let isOnMain = Scheduler.main.isHeld
    /// The first work that has left the simulation.
    private var escaped: Simulation.Escaped?

    init(_ chooser: Chooser, seed: UInt64, maxStepCount: Int) {
        self.chooser = chooser
        // Another sequence than that of the choices, which a replay does not draw.
        numbers = SplitMix64(seed: ~seed)
        stepsLeft = maxStepCount
    }

    var instant: ContinuousClock.Instant { start.after(elapsed) }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func random() -> UInt64 { numbers.next() }

    func backend(of scheduler: Scheduler, insteadOf real: any SchedulerBackend) -> any SchedulerBackend {
        // Virtual time is moved by hand in a simulation, too.
        real.hasOwnClock ? real : simulated(scheduler, real)
    }

    private func simulated(_ scheduler: Scheduler, _ real: any SchedulerBackend) -> SimulatedBackend {
        if let index = indices[real.identity] { return backends[index] }
        indices[real.identity] = backends.count
        let backend = SimulatedBackend(
            for: scheduler, insteadOf: real, number: nextNumber(), index: backends.count, in: self)
        backends.append(backend)
        candidates.append(0)
        return backend
    }

    /// The number of jobs that may run now has changed, of the backend at `index`.
    func change(_ difference: Int, at index: Int) { candidates.add(difference, at: index) }

    func executor(of scheduler: Scheduler) -> any TaskExecutor {
        let backend = scheduler.backend
        guard backend is SimulatedBackend else { return scheduler }
        let id = backend.identity
        if let known = executors[id] { return known }
        let executor = SimulatedExecutor(scheduler, in: self)
        executors[id] = executor
        return executor
    }

    func start(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, on scheduler: Scheduler
    ) -> any Disposable {
        // One that is too long to be counted never expires.
        if delay >= .longest { return NilDisposer() }
        let delayed = DelayedJob(work)
        let job = ClosureJob(.urgent) { scheduler.backend.enqueue(delayed, isLast: false, for: scheduler) }
        return SimulatedTimer(timers.add(job, at: elapsed.delayed(by: delay), isTimer: true), delayed, in: self)
    }

    func stop(_ order: Int) {
        let job = timers.remove(order)
        withExtendedLifetime(job) {}
    }

    /// Enqueues a job of a task. Another thread than that of the simulation may resume a task.
    func enqueueFromTask(_ work: @escaping @Sendable () -> Void, on scheduler: Scheduler) {
        let job = SimulatedTaskJob(work, on: scheduler)
        if Worlds.here === self { return scheduler.async { job.run() } }
        // If the simulation has ended, the job is released here, and continues outside of it.
        foreign.withLock { if !$0.isOver { $0.jobs.append(job) } }
    }

    func noteEscape(_ work: String) { escaped = escaped ?? Simulation.Escaped(work) }

    func started(_ canceller: any Disposable & AnyObject) { tasks.add(canceller) }
}

extension SimulatedWorld {
    /// Calls `body`, and then runs jobs and timers until none is left, also if it throws: otherwise futures would not
    /// end.
    func run<T>(_ body: () throws -> T) throws -> T {
        try Worlds.run(self) {
            defer { end() }
            let result = Result { try body() }
            if case .failure = result { stepsLeft = min(stepsLeft, 10_000) }
            do {
                repeat { while try step(until: nil) == .ran {} } while breaksDeadlock()
            } catch {
                // The first error counts.
                if case .success = result { throw error }
            }
            return try result.get()
        }
    }

    func run(until isDone: () -> Bool, timeout: Duration?, for description: () -> String) throws {
        waitDepth += 1
        defer { waitDepth -= 1 }
        guard waitDepth < 500 else {
            throw Simulation.Stuck(description() + ", in 500 waits inside of each other", blocked: [])
        }
        let deadline = timeout.map { elapsed.delayed(by: $0) }
        while !isDone() {
            switch try step(until: deadline) {
            case .ran: continue
            case .timeIsUp: return
            case .nothing:
                guard candidates.total > 0 || breaksDeadlock() || isDone() else {
                    throw Simulation.Stuck(description(), blocked: blocked)
                }
            }
        }
    }

    /// Looks for deadlocks, as nothing can run. Returns whether anything can run then.
    private func breaksDeadlock() -> Bool {
        watchdog.look(always: true)
        return candidates.total > 0 || timers.count > 0
    }

    /// Runs one job. If none may run, lets time pass until the next timer expires.
    private func step(until deadline: Duration?) throws -> Step {
        if let escaped { throw escaped }
        if !foreign.withLock({ $0.jobs.isEmpty }) { throw Simulation.Escaped() }
        guard let (backend, index, count) = choose() else { return passTime(until: deadline) }
        stepsLeft -= 1
        guard stepsLeft >= 0 else { throw Simulation.Endless() }
        history.append(SimulationStep(time: elapsed, event: .job(backend.scheduler!), choiceCount: count))
        backend.run(index)
        return .ran
    }

    /// Chooses between the faults for this point, and none, which is the first choice.
    func takeFault(at point: String) -> InjectedFault? {
        let entries = faults.entries(at: point)
        guard !entries.isEmpty else { return nil }
        let numbers = (0...entries.count).map { _ in nextNumber() }
        let index = chooser.choose(among: numbers.count) { numbers }
        guard index > 0 else { return nil }
        let entry = entries[index - 1]
        history.append(
            SimulationStep(time: elapsed, event: .fault(entry.fault, point), choiceCount: entries.count + 1))
        return faults.takeFault(number: entry.number)
    }

    private func choose() -> (SimulatedBackend, index: Int, count: Int)? {
        let count = candidates.total
        guard count > 0 else { return nil }
        let (index, job) = candidates.find(chooser.choose(among: count) { candidateNumbers })
        return (backends[index], job, count)
    }

    /// The numbers of the jobs that may run now.
    private var candidateNumbers: [Int] {
        var numbers: [Int] = []
        while numbers.count < candidates.total { numbers += backends[candidates.find(numbers.count).index].numbers }
        return numbers
    }

    private func passTime(until deadline: Duration?) -> Step {
        guard let (time, first) = timers.takeFirst(until: deadline) else {
            guard let deadline else { return .nothing }
            reach(deadline)
            return candidates.total > 0 ? .ran : .timeIsUp
        }
        reach(time)
        first.run()
        // All of this time, so that the choice is among all that they lead to.
        while let (_, job) = timers.takeFirst(until: elapsed) { job.run() }
        return .ran
    }

    /// Moves the clock, and looks for deadlocks at each second.
    private func reach(_ time: Duration) {
        let second = elapsed.components.seconds
        elapsed = max(elapsed, time)
        if elapsed.components.seconds > second { watchdog.look(always: true) }
    }

    private var blocked: [String] {
        backends.filter(\.isBlocked).map {
            "\($0.jobs.count) callbacks on \($0.scheduler!), which is in use by the code that waits"
        }
    }

    /// Releases what is left, which may lead to other jobs. What is left of tasks continues outside of the simulation,
    /// where it must end.
    private func end() {
        if candidates.total > 0 || foreign.withLock({ !$0.jobs.isEmpty }) { tasks.cancel() }
        for _ in 0..<100 {
            var left = backends.map { $0.removeAll() }
            var agenda = Agenda()
            swap(&agenda, &timers)
            if agenda.count == 0, left.allSatisfy(\.isEmpty) { break }
            left = []
        }
        executors = [:]
        let escaped = foreign.withLock { foreign in
            foreign.isOver = true
            defer { foreign.jobs = [] }
            return foreign.jobs
        }
        withExtendedLifetime(escaped) {}
    }
}

/// A timer of a simulation.
private final class SimulatedTimer: Disposable {
    private let order: Int
    /// It may be in its scheduler's list already.
    private let job: DelayedJob
    // The simulation may be over.
    private weak let world: SimulatedWorld?

    init(_ order: Int, _ job: DelayedJob, in world: SimulatedWorld) {
        self.order = order
        self.job = job
        self.world = world
    }

    func dispose() {
        if let world, Worlds.here === world { world.stop(order) }
        job.dispose()
    }
}
