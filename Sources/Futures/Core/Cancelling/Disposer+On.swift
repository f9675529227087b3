// Disposer(on:): a disposer that calls its closure on a scheduler.

extension Disposer {
    /// Creates a disposer that calls `action` once, on `scheduler`: immediately if that is the current scheduler, or else
    /// in a job of it.
    ///
    /// If a future's operation returns this disposer and completes, the future completes when `action` has returned. A
    /// future that is cancelled or times out completes immediately. The turn of a cancelled operation of a queue lasts
    /// until `action` has returned.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `action` is called on.
    ///   - action: The closure to call. As in all functions with `on:`, it is not isolated to an actor.
    public convenience init(on scheduler: Scheduler, _ action: @escaping @Sendable () -> Void) {
        self.init(scheduler: scheduler) {
            if scheduler.isCurrent { action() } else { scheduler.asyncUnfinished(action) }
        }
    }

    /// Creates a disposer that calls `action` once, on the main actor: immediately on the main thread, or else in a job
    /// of ``Scheduler/main``.
    ///
    ///     let disposer = Disposer(on: MainActor.shared) { print("stopped") }
    ///
    /// If a future's operation returns this disposer and completes, the future completes when `action` has returned. A
    /// future that is cancelled or times out completes immediately. The turn of a cancelled operation of a queue lasts
    /// until `action` has returned.
    ///
    /// - Parameters:
    ///   - actor: The main actor.
    ///   - action: The closure to call.
    public convenience init(on actor: MainActor, _ action: @escaping @MainActor @Sendable () -> Void) {
        self.init(on: .main) { MainActor.assumeIsolated { action() } }
    }
}

extension Node {
    /// The scheduler of the `Disposer(on:)` that the operation has returned. Requires the lock.
    var disposalScheduler: Scheduler? {
        guard let local, type(of: local) == Disposer.self else { return nil }
        return unsafeDowncast(local, to: Disposer.self).scheduler
    }

    /// Has what the operation has returned disposed on `scheduler`, and then publishes the result, which is stored.
    func publish(disposingOn scheduler: Scheduler) {
        scheduler.async { [self] in
            guard let listeners = lock() else { return }
            let local = takeLocal()
            unlock(listeners)
            local?.dispose()
            started()
        }
    }
}
