// Reading: what others read of a node that has settled.

// Read by combinations, in their listeners and in `readChildren`, and by whoever has a claim of its own (`claimed`). A
// node may be linked to the one that has its result.
extension Node {
    /// Whether the node has settled, perhaps as the one that it is linked to.
    @usableFromInline var hasSettled: Bool { resolved.isSettled }

    /// What the node settled with; it must have settled.
    @inlinable
    func result<T: Sendable>(as type: T.Type) -> Result<T, any Error> {
        let node = resolved
        return node.isSuccess ? .success(node.payload.value(as: T.self)) : .failure(node.payload.error)
    }

    /// The value that the node settled with; there must be one.
    @inlinable
    func value<T: Sendable>(as type: T.Type) -> T { resolved.payload.value(as: T.self) }

    /// The error that the node settled with; there must be one.
    @usableFromInline var error: any Error { resolved.payload.error }

    /// The error that the node settled with; nil if it has a value, or has not settled.
    var failure: (any Error)? {
        let node = resolved
        return node.isSettled && !node.isSuccess ? node.payload.error : nil
    }
}

// What a step reads of the node that it listened to, without taking a reference to it.
extension Unmanaged where Instance == Node {
    @inlinable var isSuccess: Bool { _withUnsafeGuaranteedRef { $0.isSuccess } }

    @inlinable var error: any Error { _withUnsafeGuaranteedRef { $0.payload.error } }

    @inlinable
    func value<T: Sendable>(as _: T.Type) -> T { _withUnsafeGuaranteedRef { $0.payload.value(as: T.self) } }

    @inlinable
    func result<T: Sendable>(as _: T.Type) -> Result<T, any Error> {
        isSuccess ? .success(value(as: T.self)) : .failure(error)
    }

    /// Which trait a listener must have to want what this node settled with.
    @inlinable
    var outcome: Traits {
        if isSuccess { return .values }
        return error is CancellationError ? .cancellations : .failures
    }
}
