// NilDisposer: nothing to clean up.

/// The disposable of an operation that has nothing to clean up.
public struct NilDisposer: Disposable {
    /// Makes a disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
