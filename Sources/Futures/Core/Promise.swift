// Promise: a future that is completed from outside.

/// The right to complete a future from outside.
///
///     let promise = Promise<Int>()
///     promise.future.onValue { print($0) }
///     promise.succeed(42)
///
/// Only the first completion counts. A promise whose last copy goes without one fails its future with
/// ``FutureError/abandoned(origin:)``, which names the line where the promise was made. Cancelling the future does
/// not tell the promise; attach `onCancel` to hear of it, and cancel what that returns: a listener keeps off a cancel
/// of the future itself.
///
/// A promise is one reference: copies complete the same future.
public struct Promise<Value: Sendable>: Sendable {
    @usableFromInline let token: Token

    /// Makes a promise with a pending future.
    @inlinable
    public init(file: StaticString = #fileID, line: UInt = #line) {
        self.init(Token(.pending(FutureError.Origin(file, line: line))))
    }

    @inlinable
    init(_ token: Token) {
        self.token = token
    }

    /// The future that this promise completes. A repetition of it shares its result.
    @inlinable
    public var future: Future<Value> { Future(node: token.node) }

    /// Completes the future; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func complete(_ result: Result<Value, any Error>) -> Bool {
        token.node.complete(result)
    }

    /// Completes the future with a value; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func succeed(_ value: Value) -> Bool {
        token.node.complete(value)
    }

    /// Completes the future with an error; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func fail(_ error: any Error) -> Bool {
        token.node.complete(error: error)
    }
}

extension Promise<Void> {
    /// Completes the future; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func succeed() -> Bool { succeed(()) }
}
