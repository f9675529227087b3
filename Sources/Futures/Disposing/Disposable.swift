// Disposable: something that can be cleaned up.

/// Something that can be stopped or cleaned up: a request that can be cancelled, a timer, a subscription.
///
/// `dispose()` may be called from any thread and more than once; only the first call does anything.
public protocol Disposable: Sendable {
    /// Cleans up; every call after the first does nothing.
    func dispose()
}

/// A disposable of the library's own, which calls code of users by `DeferredReleases.callOut` or in a callback.
///
/// So a bag that is being deallocated need not call it out itself, and what it releases is deferred.
package protocol Releasing: Disposable {}

/// A disposable that can become needless by itself, and then asks its bag to let go of it.
package protocol Expiring: Releasing {
    /// Keeps `entry` and drops it when this expires; at once if it has expired already.
    func expires(with entry: DisposeBag.Entry)
}
