// Disposer(on:): a disposer that calls its closure on a scheduler.

extension Disposer {
    /// Creates a disposer that calls `action` once, on `scheduler`: immediately if that is the current scheduler, or else
    /// in a job of it.
    ///
    /// A future whose operation returns this disposer completes, or is cancelled, without waiting for `action`, unless that
    /// is done on `scheduler`: callbacks on a serial `scheduler` that were attached before come behind `action`, others may
    /// come before. The turn of an operation of a queue that returns this future lasts until `action` has returned.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `action` is called on.
    ///   - action: The closure to call. As in all functions with `on:`, it is not isolated to an actor.
    public convenience init(on scheduler: Scheduler, _ action: @escaping @Sendable () -> Void) {
        self.init {
            if scheduler.isCurrent { action() } else { scheduler.asyncUnfinished(action) }
        }
    }

    /// Creates a disposer that calls `action` once, on the main actor: immediately on the main thread, or else in a job
    /// of ``Scheduler/main``.
    ///
    ///     let disposer = Disposer(on: MainActor.shared) { print("stopped") }
    ///
    /// A future whose operation returns this disposer does not wait for `action`, but callbacks on the main actor and turns
    /// do, as described there.
    ///
    /// - Parameters:
    ///   - actor: The main actor.
    ///   - action: The closure to call.
    public convenience init(on actor: MainActor, _ action: @escaping @MainActor @Sendable () -> Void) {
        self.init(on: .main) { MainActor.assumeIsolated { action() } }
    }
}
