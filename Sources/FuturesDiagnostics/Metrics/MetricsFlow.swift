// MetricsFlow: calls a recorder at intervals.

import Dispatch
import Futures

enum MetricsFlow {
    private struct State {
        var recorder: (any MetricsRecorder)?
        var interval = Duration.seconds(1)
        /// The chain of rounds that continues.
        var chain = 0
        /// Whether a recorder is being called, by this chain or an earlier one.
        var isCalling = false
        /// What the last call has left for the next one, also for that of another recorder: a queue whose gauge was set
        /// must be set again when it is idle. The call that has set `isCalling` uses it.
        var round = MetricsRound()
    }

    private static let state = Locked(State())
    private static let queue = DispatchQueue(label: "futures.metrics")

    static func set(_ recorder: (any MetricsRecorder)?, _ interval: Duration) {
        Measurements.set(recorder != nil)
        // What was measured for another recorder.
        if recorder == nil { _ = Measurements.take() }
        let new = State(recorder: recorder, interval: interval)
        let (old, chain) = state.withLock { state in
            let old = state
            state = new
            state.chain = old.chain + 1
            state.isCalling = old.isCalling
            state.round = old.round
            return (old, state.chain)
        }
        if recorder != nil { schedule(chain, after: interval) }
        // Released without the lock.
        withExtendedLifetime(old) {}
    }

    /// Calls the recorder now. The next call is an interval later.
    static func flush() {
        call(
            state.withLock { state in
                state.chain += 1
                return state.chain
            })
    }

    private static func schedule(_ chain: Int, after pause: Duration) {
        // Dispatch cannot represent every duration.
        let pause = min(max(pause, .milliseconds(1)), .seconds(3600))
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) {
            // In a block of its own: a recorder may block.
            Scheduler.unblocked.async { call(chain) }
        }
    }

    private static func call(_ chain: Int) {
        let (recorder, interval, round) = state.withLock {
            state -> ((any MetricsRecorder)?, Duration?, MetricsRound) in
            guard state.chain == chain, let recorder = state.recorder else { return (nil, nil, state.round) }
            // A call of an earlier chain has not returned.
            guard !state.isCalling else { return (nil, state.interval, state.round) }
            state.isCalling = true
            return (recorder, state.interval, state.round)
        }
        guard let interval else { return }
        if let recorder {
            var round = round
            round.call(recorder)
            state.withLock { [round] state in (state.isCalling, state.round) = (false, round) }
        }
        // After the calls, so that there is one at a time.
        schedule(chain, after: interval)
    }
}

/// What was counted and measured since the last round.
struct MetricsRound: Sendable {
    private struct Queue: Hashable {
        let kind: String
        let label: String

        init(_ queue: RecordedQueue) {
            kind = "\(queue.kind)"
            label = queue.label
        }

        var dimensions: [(String, String)] { [("kind", kind), ("queue", label)] }
    }

    /// The queues in which operations ran at the last round.
    private var busy = Set<Queue>()

    mutating func call(_ recorder: some MetricsRecorder) {
        let (counts, samples) = Measurements.take()
        let all: [(Int, Diagnostics.Metric)] = [
            (counts.created, .created), (counts.succeeded, .succeeded), (counts.failed, .failed),
            (counts.cancelled, .cancelled), (counts.timedOut, .timedOut), (counts.retried, .retried),
            (counts.refused, .refused), (counts.left, .lost),
        ]
        for (count, metric) in all where count > 0 { recorder.add(count, to: metric) }
        for sample in samples {
            let metric = sample.isWait ? Diagnostics.Metric.waitTime : .runTime
            recorder.record(sample.time, in: metric, dimensions: Queue(sample.queue).dimensions)
        }
        let running = Self.running
        for (queue, count) in running { recorder.set(.running, to: count, dimensions: queue.dimensions) }
        for queue in busy.subtracting(running.keys) { recorder.set(.running, to: 0, dimensions: queue.dimensions) }
        busy = Set(running.keys)
    }

    private static var running: [Queue: Int] {
        var counts: [Queue: Int] = [:]
        for turn in RecordedTurn.all(startedBefore: .now) where turn.operation?.isPending == true {
            counts[Queue(turn.queue), default: 0] += 1
        }
        for case let permit as PermitRecord in ActivityRecord.all {
            counts[Queue(permit.recordedQueue), default: 0] += 1
        }
        return counts
    }
}
