// ClockTrial: tries the timers of a queue with a clock of its own.

import Dispatch
import Futures

/// The timers of a queue on trial.
struct ClockTrial<Queue: ClockedExecutionQueue> {
    private let queue: Queue
    private let trial: QueueTrial<Queue>

    init(_ queue: Queue, _ trial: QueueTrial<Queue>) {
        self.queue = queue
        self.trial = trial
    }

    private struct Call {
        let name: String
        let time: ContinuousClock.Instant
    }

    func run(_ advance: (Duration) -> Void) throws {
        let start = queue.now
        let (calls, done) = (Locked<[Call]>([]), DispatchSemaphore(value: 0))
        // The delays in milliseconds, in the order of the calls.
        let delays = [("d", 90), ("a", 30), ("b", 30), ("c", 60), ("now", 0)]
        for (name, milliseconds) in delays {
            _ = queue.async(after: .milliseconds(milliseconds)) { [queue] in
                let count = calls.withLock { calls in
                    calls.append(Call(name: name, time: queue.now))
                    return calls.count
                }
                if count == delays.count { done.signal() }
            }
        }
        let never = queue.async(after: .seconds(Int64.max)) {
            calls.withLock { $0.append(Call(name: "never", time: start)) }
        }
        weak let captured = disposeTimer(calls)
        for _ in 0..<10 { advance(.milliseconds(10)) }
        try trial.await(
            done,
            "\(calls.withLock { $0.count }) of \(delays.count) timers were called after their delays. (Their disposables were "
                + "released, which must not stop them. A Disposer would.)")
        try judge(calls.withLock { $0 }, since: start, delays)
        guard trial.comesTrue({ captured == nil }) else {
            throw trial.fail("A timer was disposed, and its closure was not released.")
        }
        if queue.now < start { throw trial.fail("The clock went back.") }
        never.dispose()
        never.dispose()
    }

    /// Starts a timer and disposes it. Returns what its closure captures.
    private func disposeTimer(_ calls: Locked<[Call]>) -> CapturedObject {
        let captured = CapturedObject()
        let time = queue.now
        let timer = queue.async(after: .milliseconds(45)) {
            withExtendedLifetime(captured) { calls.withLock { $0.append(Call(name: "disposed", time: time)) } }
        }
        timer.dispose()
        return captured
    }

    private func judge(_ calls: [Call], since start: ContinuousClock.Instant, _ delays: [(String, Int)]) throws {
        let names = calls.map(\.name)
        if names.contains("disposed") { throw trial.fail("A timer was called although it was disposed.") }
        if names.contains("never") { throw trial.fail("A timer with the longest delay was called.") }
        for call in calls {
            let delay = Duration.milliseconds(delays.first { $0.0 == call.name }!.1)
            guard start.duration(to: call.time) >= delay else {
                throw trial.fail("A timer was called before its delay of \(delay) had passed.")
            }
        }
        guard queue.isSerial, names != ["now", "a", "b", "c", "d"] else { return }
        let isLate = names.firstIndex(of: "a")! > names.firstIndex(of: "b")!
        throw trial.fail(
            isLate
                ? "Timers that end at the same time were not called in the order of the calls of async(after:_:)."
                : "Timers were not called in the order in which their delays end.")
    }
}
