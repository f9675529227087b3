// Disposer: runs a closure once, when it is disposed or released.

import Synchronization

// Safe to share: `action` is touched by whoever turns `isDisposed` from false to true, and by nobody else.
// Held by `DisposerTests`, also under the thread sanitizer.
/// Runs a closure once: when it is disposed, or when the last reference to it goes.
///
///     let timer = Disposer { source.cancel() }
///     timer.dispose()     // cancels; the closure and what it captured are released
///
/// The closure runs on the thread that disposes. Disposing again, also from inside the closure, does nothing.
public final class Disposer: Disposable, @unchecked Sendable {
    private var action: (@Sendable () -> Void)?
    private let isDisposed = Atomic<Bool>(false)

    /// Makes a disposer that calls `action` once.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    deinit { dispose() }

    /// Calls the closure and releases it; every call after the first does nothing.
    public func dispose() {
        guard !isDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let releases = DeferredReleases.here
        releases.callOut { action?() }
        releases.collect { if action != nil { releases.add(closure: action.take()!) } }
    }
}

extension Disposer: CustomStringConvertible, CustomReflectable {
    private var summary: Summary {
        Summary("Disposer", ["isDisposed": isDisposed.load(ordering: .relaxed)])
    }

    /// The name and the values of the mirror.
    public var description: String { summary.description }

    /// Whether it is disposed, and nothing of its closure.
    public var customMirror: Mirror { summary.mirror(of: self) }
}
