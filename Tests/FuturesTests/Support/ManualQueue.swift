// ManualQueue: an event loop with a clock that tests move, as users have them.

import Futures

/// Runs closures on the thread of a loop, and timers when the clock was moved to their time.
final class ManualQueue: ClockedExecutionQueue {
    private struct State {
        var now = ContinuousClock.now
        var timers: [(time: ContinuousClock.Instant, order: Int, work: @Sendable () -> Void)] = []
        var count = 0
    }

    private let loop = ThreadLoop()
    private let state = Locked(State())
    var label: String { "manual" }
    var isSerial: Bool { true }
    var isCurrent: Bool { loop.isCurrent }
    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func async(_ work: @escaping @Sendable () -> Void) { loop.async(work) }

    func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
        let order = state.withLock { state in
            state.count += 1
            state.timers.append((state.now + delay, state.count, work))
            return state.count
        }
        return Timer(order: order, state: state)
    }

    // Not a `Disposer`, which would stop the timer when it is released.
    private struct Timer: Disposable {
        let order: Int
        let state: Locked<State>

        func dispose() {
            let timer = state.withLock { state in
                state.timers.firstIndex { $0.order == order }.map { state.timers.remove(at: $0) }
            }
            withExtendedLifetime(timer) {}
        }
    }

    /// Moves the clock from timer to timer, and returns when all that is due has run.
    func advance(by delay: Duration) {
        let end = now + delay
        loop.drain()
        while let work = takeFirst(until: end) {
            loop.async(work)
            loop.drain()
        }
        state.withLock { $0.now = end }
    }

    private func takeFirst(until end: ContinuousClock.Instant) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let first = state.timers.indices.min { a, b in
                (state.timers[a].time, state.timers[a].order) < (state.timers[b].time, state.timers[b].order)
            }
            guard let first, state.timers[first].time <= end else { return nil }
            let timer = state.timers.remove(at: first)
            state.now = max(state.now, timer.time)
            return timer.work
        }
    }
}
