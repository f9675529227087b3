// QueueModel: the contract's rules for queues, with calls in place, no links and no locks.

import Futures

/// The sequential model of a queue.
final class ModelQueue {
    let limit: Int
    let bound: Int
    let loop: ModelLoop
    var lanes: [[ModelRun]] = [[], [], []]
    var passedOver = [0, 0, 0]
    /// In the order in which an abort visits them: a released place is filled by the last run.
    var running: [ModelRun?] = [nil]
    var runningCount = 0
    var isPaused = false
    var closedError: Outcome?
    /// The listeners that wait for the queue to be empty.
    var onlookers: [() -> Void] = []

    init(limit: Int, bound: Int, _ loop: ModelLoop) {
        self.limit = limit
        self.bound = bound
        self.loop = loop
    }

    var waitingCount: Int { lanes.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { waitingCount == 0 && runningCount == 0 }
    private var mayBegin: Bool { runningCount < limit && !isPaused }

    func arrive(_ run: ModelRun) {
        if let closedError { return run.settle(closedError) }
        if mayBegin, waitingCount == 0 {
            start(run)
            return run.begin()
        }
        guard waitingCount < bound else { return run.settle(.error(-2)) }
        run.stage = .waiting
        lanes[run.lane].append(run)
    }

    /// Removes a run that has completed, or was cancelled while it waited.
    func leave(_ run: ModelRun) {
        switch run.stage {
        case .outside: return
        case .waiting:
            lanes[run.lane].removeAll { $0 === run }
        case .running:
            if running[0] === run {
                running[0] = nil
            } else {
                let last = running.removeLast()!
                if last !== run { running[running.firstIndex { $0 === run }!] = last }
            }
            runningCount -= 1
        }
        run.stage = .outside
        goOn(isLess: true)
    }

    func goOn(isLess: Bool = false) {
        var next: ModelRun?
        var goesOn = false
        if mayBegin, let lane = nextLane {
            next = lanes[lane].removeFirst()
            for lower in lane + 1..<3 where !lanes[lower].isEmpty { passedOver[lower] += 1 }
            passedOver[lane] = 0
            start(next!)
            goesOn = mayBegin && waitingCount > 0
        }
        var told: [() -> Void] = []
        if isLess, isEmpty { swap(&told, &onlookers) }
        loop.group {
            if let next {
                if next.outcome == nil { loop.callback(next.begin) } else { loop.following(next.begin) }
            }
            for onlooker in told { onlooker() }
            if goesOn { loop.following { self.goOn() } }
        }
    }

    private var nextLane: Int? {
        for lane in [2, 1] where passedOver[lane] >= 7 && !lanes[lane].isEmpty { return lane }
        return lanes.firstIndex { !$0.isEmpty }
    }

    private func start(_ run: ModelRun) {
        runningCount += 1
        run.stage = .running
        if running[0] == nil { running[0] = run } else { running.append(run) }
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
        let failed = waiting.filter { $0.fail(error) }
        let cancelled = running.compactMap { run in run.end(error).map { (run, $0) } }
        loop.urgentFirst {
            loop.group {
                for run in failed { run.tell() }
                for (run, isMine) in cancelled { run.hasEnded(isMine: isMine) }
                loop.following { self.goOn(isLess: true) }
            }
        }
    }
}

/// A promise of the model, and its listeners.
final class ModelPromise {
    var outcome: Outcome?
    var waiters: [ModelWaiter] = []

    func complete(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.arrived(outcome) }
    }

    /// Removes a waiter. The last one to leave cancels the promise. Returns false if the promise has already completed.
    func leave(_ waiter: ModelWaiter) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        if waiters.isEmpty { outcome = .cancelled }
        return true
    }
}

/// A listener of a promise.
final class ModelWaiter {
    let arrived: (Outcome) -> Void
    init(_ arrived: @escaping (Outcome) -> Void) { self.arrived = arrived }
}
