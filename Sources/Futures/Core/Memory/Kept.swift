// Kept: what a node keeps for its run, in one word.

/// What a node keeps for its run: an object of the core, or what stops the operation, as an object.
package struct Kept: Sendable {
    package let object: any AnyObject & Sendable

    init(object: any AnyObject & Sendable) { self.object = object }

    /// Keeps the disposable itself, or a box around one that is no object. Nil if there is nothing to dispose.
    // Unsafe: the load is of an object, whatever its class. Types are compared first, as a cast asks the runtime, which
    // takes 150 instructions, and 600 for a protocol. Tested by `KeptTests`.
    package init?<Value: Disposable>(_ disposable: Value) {
        if Value.self == NilDisposer.self { return nil }
        let isObject = Value.self == Disposer.self || Value.self == DelayedJob.self || Value.self is AnyObject.Type
        object =
            isObject
            ? withUnsafeBytes(of: disposable) { $0.load(as: (any AnyObject & Sendable).self) }
            : Disposer(disposable.dispose)
    }

    /// The object, if this is exactly its class.
    func known<Object: AnyObject>(as type: Object.Type) -> Object? {
        Swift.type(of: object) == type ? unsafeDowncast(object, to: type) : nil
    }

    package func dispose() {
        if let disposer = known(as: Disposer.self) { return disposer.dispose() }
        if let timer = known(as: DelayedJob.self) { return timer.dispose() }
        (object as? any Disposable)?.dispose()
    }
}

// By hand, because a property that counts its reference costs 35 instructions of each node's deinit.
extension Node {
    /// What this node keeps. Requires the lock.
    var local: Kept? { localObject.map { Kept(object: $0.takeUnretainedValue()) } }

    /// Keeps `kept`. Nothing may be kept yet.
    func keep(_ kept: Kept?) {
        if let kept { localObject = .passRetained(kept.object) }
    }

    /// Returns what this node has kept, and keeps it no longer.
    func takeLocal() -> Kept? { localObject.take().map { Kept(object: $0.takeRetainedValue()) } }
}
