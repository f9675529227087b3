// OwnedTimer: a timer that stops when its owner is released.

/// The timer of an object that starts it again and again, one at a time. It stops when the object is released, or
/// before.
final class OwnedTimer: Disposable {
    private struct State {
        /// The number of the start before; nil once it was disposed.
        var count: Int? = 0
        var timer: (any Disposable)?
    }

    private let state = Locked(State())

    deinit { dispose() }

    /// Calls `work` on `scheduler` after `delay`, unless this is released or started again before that. Does nothing if
    /// this was disposed, or started with a greater number.
    ///
    /// `work` may start the next one. It may be called although another thread is starting this again. If several
    /// threads start this, the last one to take a number under the owner's lock has to win: it passes that `number`.
    func start(
        after delay: Duration, on scheduler: Scheduler, number: Int? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        let number = state.withLock { state -> Int? in
            guard let count = state.count, number ?? .max > count else { return nil }
            state.count = number ?? count + 1
            return state.count
        }
        guard let number else { return }
        let timer = scheduler.async(after: delay, work)
        // The timer may have fired by now, and `work` may have started the next one.
        let previous = state.withLock { state -> (any Disposable)? in
            guard state.count == number else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        previous?.dispose()
    }

    /// Stops it for good.
    func dispose() {
        let timer = state.withLock { state in
            state.count = nil
            return state.timer.take()
        }
        timer?.dispose()
    }
}
