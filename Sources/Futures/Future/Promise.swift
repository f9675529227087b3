// Promise: a future that is completed from outside.

/// The right to complete a future from outside.
///
///     let promise = Promise<Int>()
///     promise.future.onValue { print($0) }
///     promise.succeed(42)
///
/// Only the first completion counts. If the last copy of a promise is released without a completion, the future fails
/// with ``FutureError/abandoned(origin:)``, which contains the source location where the promise was created.
///
/// Cancelling the future does not notify the promise. To be notified, attach `onCancel`, and cancel the future that
/// `onCancel` returns. The promise's own future cannot be cancelled then, because `onCancel` is a listener.
///
/// A promise is one reference: copies complete the same future.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline let token: Token

    /// Creates a promise with a pending future.
    @_alwaysEmitIntoClient
    public init(file: StaticString = #fileID, line: UInt = #line) {
        token = Token(.pending(FutureError.SourceLocation(file, line: line)))
    }

    /// The future that this promise completes. A repetition of it shares its result.
    @inlinable
    public var future: Future<Value> { Future(node: token.node) }

    /// Completes the future. Returns false if it has already been completed or cancelled.
    @_alwaysEmitIntoClient @discardableResult
    public func complete(_ result: Result<Value, any Error>) -> Bool {
        token.node.settleFromOutside(result)
    }

    /// Completes the future with a value. Returns false if it has already been completed or cancelled.
    @_alwaysEmitIntoClient @discardableResult
    public func succeed(_ value: Value) -> Bool {
        token.node.settleFromOutside(value)
    }

    /// Completes the future with an error. Returns false if it has already been completed or cancelled.
    @_alwaysEmitIntoClient @discardableResult
    public func fail(_ error: any Error) -> Bool {
        token.node.settleFromOutside(error: error)
    }
}

extension Promise<Void> {
    /// Completes the future. Returns false if it has already been completed or cancelled.
    @_alwaysEmitIntoClient @discardableResult
    public func succeed() -> Bool { succeed(()) }
}

/// The right to complete a node from outside. When the last reference to it is released while the node is pending, the
/// node fails. (`Promise` is generic: as a class, it would instantiate metadata whenever an object is created.)
@usableFromInline
final class Token: Sendable {
    @usableFromInline let node: Node

    @inlinable
    init(_ node: Node) {
        self.node = node
    }

    deinit {
        // Settling does nothing if there is a result that is stored but not yet published (`Progress.isStored`).
        if !node.isSettled, node.settleFromOutside(error: FutureError.abandoned(origin: node.origin)) {
            Recording.recorderIfOn?.abandoned(at: node.origin)
        }
    }
}
