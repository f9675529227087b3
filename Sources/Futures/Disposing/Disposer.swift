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
    // Safe to share: accessed only by the caller that changes `isDisposed` from false to true. Tested by `DisposerTests`,
    // also under the thread sanitizer.
    nonisolated(unsafe) private var action: (@Sendable () -> Void)?
    private let isDisposed = Atomic<Bool>(false)

    /// Creates a disposer that calls `action` once, on the thread that disposes or releases the disposer.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
        noteExplored(.forget, of: self)
    }

    deinit { dispose() }

    /// Calls the closure and releases it. Calls after the first do nothing.
    public func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        noteExplored(.write, of: self)
        let releases = DeferredReleases.here
        releases.callOut { action?() }
        releases.collect { if action != nil { releases.add(closure: action.take()!) } }
    }
}

extension Disposer: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary {
        ("Disposer", ["isDisposed": isDisposed.load(ordering: .relaxed)])
    }
}
