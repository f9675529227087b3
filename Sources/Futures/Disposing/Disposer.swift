// Disposer: calls a closure once, when it is disposed or released.

import Synchronization

/// A disposable that calls a closure once: when it is disposed, or when its last reference is released.
///
///     let timer = Disposer { source.cancel() }
///     timer.dispose()     // cancels; the closure and its captures are released
///
/// The closure is called on the thread that disposes or releases the disposer. A future is disposed by the thread that
/// completes or cancels it, which may be any thread: so `MainActor.assumeIsolated` traps in such a closure. To call the
/// closure on a scheduler or on the main actor, use `Disposer(on:)`.
///
/// Disposing it again, also from inside the closure, does nothing.
public final class Disposer: Disposable {
    // Safe to share: accessed only by the caller that changes `isDisposed` from false to true. Tested by
    // `DisposerTests`, also under the thread sanitizer.
    nonisolated(unsafe) private var action: Closure?
    private let isDisposed = Atomic<Bool>(false)

    /// Creates a disposer that calls `action` once, on the thread that disposes or releases the disposer.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Closure(action)
        noteExplored(.forget, of: self)
    }

    /// Creates a disposer that calls `action` once, on `scheduler`: immediately if that is the current scheduler, or
    /// else in a job of it.
    ///
    /// A future whose operation returns this disposer completes, or is cancelled, without waiting for `action`, unless
    /// that is done on `scheduler`: callbacks on a serial `scheduler` that were attached before come behind `action`,
    /// others may come before. The turn of an operation of a queue that returns this future lasts until `action` has
    /// returned.
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
    /// A future whose operation returns this disposer does not wait for `action`, but callbacks on the main actor and
    /// turns do, as described there.
    ///
    /// - Parameters:
    ///   - actor: The main actor.
    ///   - action: The closure to call.
    public convenience init(on actor: MainActor, _ action: @escaping @MainActor @Sendable () -> Void) {
        self.init(on: .main) { MainActor.assumeIsolated { action() } }
    }

    deinit { dispose() }

    /// Calls the closure and releases it. Calls after the first do nothing.
    public func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        noteExplored(.write, of: self)
        let releases = DeferredReleases.here
        releases.callOut { action?.call() }
        releases.collect { if action != nil { releases.add(closure: action.take()!) } }
    }
}

extension Disposer: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("Disposer", ["isDisposed": isDisposed.load(ordering: .relaxed)]) }
}
