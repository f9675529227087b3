// NilDisposer: a disposable that does nothing.

/// A disposable that does nothing, for operations without anything to stop or release.
public struct NilDisposer: Disposable {
    /// Creates a disposable that does nothing.
    public init() {}

    /// Does nothing.
    public func dispose() {}
}
