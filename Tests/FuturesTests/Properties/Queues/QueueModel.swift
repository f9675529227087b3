// QueueModel: the contract's rules for queues, with no links and no locks.

import Futures

final class ModelQueue {
    let limit: Int
    let bound: Int
    let loop: ModelLoop
    var lanes: [[ModelRun]] = [[], [], []]
    var passedOver = [0, 0, 0]
    /// In the order in which an abort visits them: a released place is filled by the last run.
    var running: [ModelRun?] = [nil]
    var runningCount = 0
    private var runningWeight = 0
    var isPaused = false
    var closedError: Outcome?
    /// The listeners that wait for the queue to be empty.
    var onlookers: [ModelLoop.Job] = []

    init(limit: Int, bound: Int, _ loop: ModelLoop) {
        self.limit = limit
        self.bound = bound
        self.loop = loop
    }

    var waitingCount: Int { lanes.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { waitingCount == 0 && runningCount == 0 && abortCount == 0 }
    private var abortCount = 0
    private var mayBegin: Bool { fits(1) && !isPaused }
    private func fits(_ weight: Int) -> Bool { runningWeight + weight <= limit }

    func arrive(_ run: ModelRun) {
        if let closedError { return loop.serve(run.settle(closedError)) }
        if run.weight > limit { return loop.serve(run.settle(.error(-2))) }
        if mayBegin, fits(run.weight), waitingCount == 0 { return loop.serve([start(run)]) }
        guard waitingCount < bound else { return loop.serve(run.settle(.error(-2))) }
        run.stage = .waiting
        lanes[run.lane].append(run)
        // It may be lighter than what it has overtaken.
        if mayBegin { loop.serve(jobs()) }
    }

    /// Removes a run that has completed, or was cancelled while it waited.
    func leave(_ run: ModelRun) {
        switch run.stage {
        case .outside: return
        case .waiting: lanes[run.lane].removeAll { $0 === run }
        case .running:
            if running[0] === run {
                running[0] = nil
            } else {
                let last = running.removeLast()!
                if last !== run { running[running.firstIndex { $0 === run }!] = last }
            }
            runningCount -= 1
            runningWeight -= run.weight
        }
        run.stage = .outside
        loop.add(jobs())
    }

    /// Gives runs their turns. Returns the jobs that follow.
    func jobs() -> [ModelLoop.Job] {
        var jobs: [ModelLoop.Job] = []
        while mayBegin, let lane = nextLane, fits(lanes[lane][0].weight) {
            let next = lanes[lane].removeFirst()
            for lower in lane + 1..<3 where !lanes[lower].isEmpty { passedOver[lower] += 1 }
            passedOver[lane] = 0
            jobs.append(start(next))
        }
        if isEmpty {
            jobs += onlookers
            onlookers = []
        }
        return jobs
    }

    private var nextLane: Int? {
        for lane in [2, 1] where passedOver[lane] >= 6 && !lanes[lane].isEmpty { return lane }
        return lanes.firstIndex { !$0.isEmpty }
    }

    /// Gives the run a turn. Returns the job that starts it.
    private func start(_ run: ModelRun) -> ModelLoop.Job {
        runningCount += 1
        runningWeight += run.weight
        run.stage = .running
        if running[0] == nil { running[0] = run } else { running.append(run) }
        return .init(run.outcome == nil ? .callback : .following, run.begin)
    }

    func close(_ error: Outcome) {
        if closedError == nil { closedError = error }
    }

    /// Completes all runs, then does what follows from it, and then calls callbacks.
    func abort(_ error: Outcome, closes: Bool) {
        if closes { close(error) }
        let running = running.compactMap { $0 }
        let waiting = lanes.flatMap { $0 }
        // As in a callback of an abort, which does the rest behind its callbacks.
        if waiting.isEmpty, running.isEmpty { return }
        lanes = [[], [], []]
        for run in waiting { run.stage = .outside }
        let failed = waiting.flatMap { $0.settle(error) }
        let ended = running.flatMap { $0.end(error) }
        abortCount += 1
        let end = ModelLoop.Job(.following) { [self] in
            abortCount -= 1
            loop.add(jobs())
        }
        loop.serve(failed + ended + [end])
    }
}

/// A promise of the model, and the runs that wait for it.
final class ModelPromise {
    var outcome: Outcome?
    var waiters: [ModelRun] = []

    init(_ outcome: Outcome? = nil) { self.outcome = outcome }

    func complete(_ outcome: Outcome, in loop: ModelLoop) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        let waiters = waiters
        self.waiters = []
        loop.serve(waiters.map(\.wakeUp))
    }

    /// Removes a waiter. The last one to leave cancels the promise. Returns false if the promise has already completed.
    func leave(_ waiter: ModelRun) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        if waiters.isEmpty { outcome = .cancelled }
        return true
    }
}
