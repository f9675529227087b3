// OwnedTimer: a timer that stops when its owner is released.

/// The timer of an object that starts it again and again, one at a time. It stops when the object is released, or
/// before.
final class OwnedTimer: Disposable {
    private struct State {
        /// The greatest number with which it was started; nil once it was disposed.
        var number: Int? = 0
        var timer: (any Disposable)?
    }

    private let state = Locked(State())

    deinit { dispose() }

    /// Calls `work` on `scheduler` after `delay`, unless this is released or started again before that. Does nothing if
    /// this was disposed, or started with a greater number.
    ///
    /// `work` may be called although another thread is starting this again. If several threads start this, the last one
    /// to take a number under the owner's lock has to win: it passes that `number`.
    func start(
        after delay: Duration, on scheduler: Scheduler, number: Int? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        // Under the lock, as the timer may fire at once, and `work` may start the next one. Starting it calls no user
        // code.
        let previous = state.withLock { state -> (any Disposable)? in
            guard let last = state.number, number ?? .max > last else { return nil }
            state.number = number ?? last
            defer { state.timer = scheduler.async(after: delay, work) }
            return state.timer
        }
        previous?.dispose()
    }

    /// Stops it for good.
    func dispose() {
        let timer = state.withLock { state in
            state.number = nil
            return state.timer.take()
        }
        timer?.dispose()
    }
}
