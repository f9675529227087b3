// Reading: what other code reads of a node that has settled.

// For combinations, in their listeners and in `readChildren`, and for other code inside of `reading`. The node may be
// linked to the node that has its result: to read that by `resolved` would count a reference to it.
extension Node {
    /// Whether the node has settled, itself or through the node that it is linked to.
    @inlinable package var hasSettled: Bool { isSettled || isLink && target.isSettled }

    /// Returns the result of the node, which must have settled.
    @inlinable
    func result<T: Sendable>(as type: T.Type) -> Result<T, any Error> {
        isLink ? target.ownResult(as: T.self) : ownResult(as: T.self)
    }

    /// Returns the result of the node, or nil if it has not settled.
    @inlinable
    func currentResult<T: Sendable>(as type: T.Type) -> Result<T, any Error>? {
        isLink ? target.ownCurrentResult(as: T.self) : ownCurrentResult(as: T.self)
    }

    // The same of a node that is no link.

    @inlinable
    func ownResult<T: Sendable>(as type: T.Type) -> Result<T, any Error> {
        isSuccess ? .success(payload.value(as: T.self)) : .failure(observedError)
    }

    @inlinable
    func ownCurrentResult<T: Sendable>(as type: T.Type) -> Result<T, any Error>? {
        isSettled ? reading { ownResult(as: T.self) } : nil
    }

    /// Returns the value of the node, which must have settled with one.
    @inlinable
    func value<T: Sendable>(as type: T.Type) -> T {
        isLink ? target.payload.value(as: T.self) : payload.value(as: T.self)
    }

    /// The error of the node. Notes that it was read.
    @usableFromInline var observedError: any Error {
        noteObserved()
        return payload.error
    }

    /// The error of the node, if one is stored and was not released.
    package var storedError: (any Error)? { payload.type == (any Error).self ? payload.error : nil }

    /// The error of the node, or nil if it has a value, or has not settled.
    var failure: (any Error)? {
        let node = resolved
        return node.isSettled && !node.isSuccess ? node.payload.error : nil
    }
}

// For a step, which reads the node that it listened to without taking a reference to it.
extension Unmanaged where Instance == Node {
    @inlinable var isSuccess: Bool { _withUnsafeGuaranteedRef { $0.isSuccess } }

    @inlinable var error: any Error { _withUnsafeGuaranteedRef { $0.payload.error } }

    @inlinable
    func value<T: Sendable>(as _: T.Type) -> T { _withUnsafeGuaranteedRef { $0.payload.value(as: T.self) } }

    @inlinable
    func result<T: Sendable>(as _: T.Type) -> Result<T, any Error> {
        isSuccess ? .success(value(as: T.self)) : .failure(error)
    }

    /// The trait that a listener must have to want the result of this node.
    @inlinable
    var outcome: Traits {
        if isSuccess { return .values }
        return error is CancellationError ? .cancellations : .failures
    }
}
