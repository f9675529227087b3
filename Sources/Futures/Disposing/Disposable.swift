// Disposable: an activity that can be stopped, or a resource that can be released.

/// An activity that can be stopped or a resource that can be released: a request, a timer, a subscription.
///
/// `dispose()` may be called from any thread and more than once. Calls after the first must do nothing.
public protocol Disposable: Sendable {
    /// Stops the activity or releases the resource. Calls after the first do nothing.
    func dispose()
}

extension Disposable {
    /// Adds this to a bag, which disposes it when the bag is disposed.
    ///
    /// - Parameter bag: The bag.
    @_alwaysEmitIntoClient
    public func store(in bag: DisposeBag) { bag.add(self) }
}

/// A disposable that does nothing, for operations without anything to stop or release.
public struct NilDisposer: Disposable {
    /// Creates a disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
