// Baton: runs several threads, one at a time, in the order of a schedule.

import Dispatch
import Foundation
package import Futures
import Synchronization

/// Runs its threads one at a time: the thread with the baton runs, and all others wait until they are given it.
// Safe to share: the thread with the baton accesses the state, and between runs the thread that calls `run`.
package final class Baton: Explorer, @unchecked Sendable {
    private final class Worker: @unchecked Sendable {
        let gate = DispatchSemaphore(value: 0)
        var id: UInt = 0
        var body: (@Sendable () -> Void)?
    }

    private let preemptionBound: Int
    private let seesOlderValues: Bool
    private var hasSeenOlderValue = false
    private let workers: [Worker]
    private let isOver = DispatchSemaphore(value: 0)
    private var schedule = Schedule()
    private var clocks = Clocks(threads: 0)
    private var blocks = Blocks()
    /// How many of the threads are no workers, which only run blocks.
    private var bodyCount = 0
    /// The workers that have found no block to run.
    private var idle: Set<Int> = []
    /// The thread with the baton. Threads that are not explored read it, too.
    private let holder = Synchronization.Atomic<UInt>(0)
    private var current = -1 {
        didSet { holder.store(current < 0 ? 0 : workers[current].id, ordering: .releasing) }
    }
    private var running: Set<Int> = []
    /// The threads that wait, until another thread changes something.
    private var waiting: Set<Int> = []
    private var preemptions = 0
    private var waits = 0
    private var points = 0
    private var trace = Trace(isKept: false)
    package private(set) var failure: String?

    /// `preemptionBound`: how often a run may take the baton from a thread that could continue. `seesOlderValues`:
    /// whether loads may return older values. Then each counts as a preemption, and the last one of these must be such
    /// a load.
    package init(threads count: Int, preemptionBound: Int, seesOlderValues: Bool = false) {
        self.preemptionBound = preemptionBound
        self.seesOlderValues = seesOlderValues
        workers = (0..<count).map { _ in Worker() }
        Timers.reset()
        for index in 0..<count {
            let ready = DispatchSemaphore(value: 0)
            let thread = Thread { [self] in
                let worker = workers[index]
                worker.id = Self.thisThread
                ready.signal()
                repeat { worker.gate.wait() } while runBody(of: index)
            }
            thread.stackSize = 1 << 20
            thread.start()
            ready.wait()
        }
    }

    /// Ends the threads.
    package func end() { for worker in workers { worker.gate.signal() } }

    /// Returns false if there is nothing to run any more.
    private func runBody(of index: Int) -> Bool {
        // In a function, so that what the body has captured is released while the thread still has the baton.
        func call() -> Bool {
            guard let body = workers[index].body.take() else { return false }
            body()
            return true
        }
        guard call() else { return false }
        finish(index)
        return true
    }

    /// Runs these threads once. Returns what went wrong.
    ///
    /// `workerCount`: how many threads more there are, which run the blocks that are submitted to dispatch queues.
    package func run(
        _ bodies: [@Sendable () -> Void], workerCount: Int = 0, by schedule: inout Schedule, isTracing: Bool
    ) -> String? {
        let workers = (0..<workerCount).map { number in { @Sendable [self] in work(as: bodies.count + number) } }
        bodyCount = bodies.count
        let bodies = bodies + workers
        precondition(bodies.count <= self.workers.count, "Scenario(…, threads: 3) says how many threads it has.")
        self.schedule = schedule
        clocks = Clocks(threads: bodies.count)
        (running, waiting, idle, preemptions, waits, points) = (Set(bodies.indices), [], [], 0, 0, 0)
        (trace, failure, hasSeenOlderValue) = (Trace(isKept: isTracing), nil, false)
        blocks.begin()
        for (worker, body) in zip(self.workers, bodies) { worker.body = body }
        current = self.schedule.choose(among: Array(bodies.indices))
        self.workers[current].gate.signal()
        if isOver.wait(timeout: .now() + 20) != .success { stop("A thread blocks.") }
        schedule = self.schedule
        return failure
    }

    package var text: String { trace.text }

    // MARK: Explorer

    package var runsThisThread: Bool { holder.load(ordering: .acquiring) == Self.thisThread }

    private static var thisThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    package func reach(_ point: ExplorationPoint) {
        guard runsThisThread else { return }
        let thread = current
        points += 1
        if points > 20_000 { fail("It does not end.") }
        switch point {
        case .wait: passOn(from: thread)
        case .unlock: (waits, waiting) = (0, [])
        // Those that wait look again, which is no progress.
        case .load, .askUnique: offer(from: thread)
        case .store, .update, .exchange, .lock, .fence:
            offer(from: thread)
            (waits, waiting) = (0, [])
        }
        trace.add(point, by: thread)
        switch point {
        case .store(let atomic, let releases):
            clocks.store(atomic, updates: false, acquires: false, releases: releases, by: thread)
        case .update(let atomic, let acquires, let releases):
            clocks.store(atomic, updates: true, acquires: acquires, releases: releases, by: thread)
        // What they do depends on the value.
        case .load, .exchange: break
        default: clocks.reach(point, by: thread)
        }
    }

    package func load(_ atomic: UnsafeRawPointer, acquires: Bool, differs: (Int) -> Bool) -> Int {
        guard runsThisThread else { return 0 }
        reach(.load(atomic, acquires: acquires))
        let thread = current
        var age = 0
        if seesOlderValues, preemptions < preemptionBound {
            let unseen = 0..<clocks.unseenCount(of: atomic, by: thread)
            let ages = unseen.map { $0 + 1 }.filter(differs)
            // In the schedule, a number below zero.
            if !ages.isEmpty { age = -schedule.choose(among: [0] + ages.map { -$0 }) }
            if age > 0 {
                preemptions += 1
                hasSeenOlderValue = true
                trace.addStaleLoad(age: age, by: thread)
            }
        }
        clocks.load(atomic, age: age, acquires: acquires, by: thread)
        return age
    }

    package func exchanged(_ atomic: UnsafeRawPointer, acquires: Bool, releases: Bool, _ hasChanged: Bool) {
        guard runsThisThread else { return }
        if hasChanged {
            clocks.store(atomic, updates: true, acquires: acquires, releases: releases, by: current)
        } else {
            clocks.load(atomic, acquires: acquires, by: current)
        }
    }

    package func access(_ memory: UnsafeRawPointer, _ access: ExploredAccess) {
        guard runsThisThread else { return }
        if clocks.access(memory, access, by: current) { fail("Two accesses to a result race.") }
        trace.add(access, of: memory, by: current)
    }

    /// Ends the process: the threads cannot be brought to an end, so nothing more can be explored.
    private func stop(_ message: String) -> Never {
        fatalError("\(failure ?? message) Schedule: \(schedule.text)\(text)")
    }

    private func fail(_ message: String) {
        if failure == nil { failure = message + text }
    }

    /// A place where the schedule may switch to another thread.
    private func offer(from thread: Int) {
        // Otherwise the orders are those that are tried without older values, too.
        let limit = seesOlderValues && !hasSeenOlderValue ? preemptionBound - 1 : preemptionBound
        guard preemptions < limit, running.count > 1 else { return }
        let next = schedule.choose(among: [thread] + others(than: thread).filter { !waiting.contains($0) })
        guard next != thread else { return }
        preemptions += 1
        hand(from: thread, to: next)
    }

    /// The thread waits until another thread makes progress.
    private func passOn(from thread: Int) {
        waits += 1
        waiting.insert(thread)
        var options = others(than: thread).filter { !waiting.contains($0) }
        if options.isEmpty {
            waiting = [thread]
            options = others(than: thread)
            // Perhaps a thread that is not explored has to do something.
            usleep(50)
        }
        if waits > 2000 { stop("All threads wait.") }
        guard !options.isEmpty else { return }
        hand(from: thread, to: schedule.choose(among: options))
    }

    private func finish(_ thread: Int) {
        running.remove(thread)
        waiting = []
        guard !running.isEmpty else {
            current = -1
            isOver.signal()
            return
        }
        // An idle worker is chosen only if no other thread is left: then it ends, or all threads wait.
        let able = others(than: thread)
        let options = able.isEmpty ? running.sorted() : able
        current = schedule.choose(among: options)
        workers[current].gate.signal()
    }

    /// The other threads that may run now. Workers may if there is a block to run.
    private func others(than thread: Int) -> [Int] {
        let canWork = blocks.canRun || areBodiesOver
        return running.filter { $0 != thread && (canWork || !idle.contains($0)) }.sorted()
    }

    private func hand(from thread: Int, to next: Int) {
        current = next
        workers[next].gate.signal()
        workers[thread].gate.wait()
    }

    // MARK: Blocks

    package var time: Duration { blocks.time }

    package func submit(_ block: @escaping @Sendable () -> Void, to queue: ObjectIdentifier, isSerial: Bool) {
        let clock = runsThisThread ? clocks.release(by: current) : Clock()
        blocks.add(block, to: queue, isSerial: isSerial, clock)
    }

    package func setTimer(for time: Duration) { blocks.setTimer(for: time) }

    /// Lets ten seconds pass, and runs the blocks that wait and those that follow, on the calling thread.
    package func letTimePass() {
        let end = blocks.time + .seconds(10)
        runBlocks()
        while blocks.passTime(until: end) { runBlocks() }
    }

    /// Runs the blocks that wait, and those that they submit, on the calling thread. Returns false if there was none.
    @discardableResult
    package func runBlocks() -> Bool {
        guard blocks.canRun else { return false }
        while let next = blocks.take() { run(next) }
        return true
    }

    package func runWhatWaits() {
        if !runBlocks(), !blocks.passTime() { usleep(100) }
    }

    private func run(_ next: Blocks.Waiting) {
        let isExplored = runsThisThread
        if isExplored { clocks.acquire(next.clock, by: current) }
        next.block()
        blocks.end(next, isExplored ? clocks.release(by: current) : Clock())
    }

    private var areBodiesOver: Bool { running.allSatisfy { $0 >= bodyCount } }

    /// What a worker does: runs blocks until all threads have ended that may submit some.
    private func work(as thread: Int) {
        while true {
            if let next = blocks.take() {
                idle.remove(thread)
                run(next)
            } else if areBodiesOver, blocks.isEmpty {
                return
            } else {
                idle.insert(thread)
                reach(.wait)
            }
        }
    }
}
