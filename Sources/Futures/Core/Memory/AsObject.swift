// asObject: a disposable in the form in which a node keeps it.

extension Disposable {
    /// The disposable as an object, in a box if it is none; nil if there is nothing to dispose.
    package var asObject: (any Disposable & AnyObject)? {
        // No casts where types can be compared: a cast asks the runtime, which takes 150 instructions, and 600 for a
        // protocol. The two loads are of the type that `self` has. Tested by `AsObjectTests`.
        if Self.self == NilDisposer.self { return nil }
        if Self.self == Disposer.self { return withUnsafeBytes(of: self) { $0.load(as: Disposer.self) } }
        if Self.self == DelayedJob.self { return withUnsafeBytes(of: self) { $0.load(as: DelayedJob.self) } }
        return self as? any Disposable & AnyObject ?? Disposer(dispose)
    }
}
