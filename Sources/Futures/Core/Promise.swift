// Promise: a future that is completed from outside.

/// The right to complete a future from outside.
///
///     let promise = Promise<Int>()
///     promise.future.onValue { print($0) }
///     promise.succeed(42)
///
/// Only the first completion counts. A promise that is released without one fails its future with
/// ``FutureError/abandoned(origin:)``, which names the line where the promise was made. Cancelling the future does
/// not tell the promise; attach `onCancel` to hear of it.
public final class Promise<Value: Sendable>: Sendable {
    @usableFromInline let node: Node
    @usableFromInline let origin: FutureError.Origin

    /// Makes a promise with a pending future.
    @inlinable
    public convenience init(file: StaticString = #fileID, line: UInt = #line) {
        self.init(.pending(), FutureError.Origin(file, line: line))
    }

    @inlinable
    init(_ node: Node, _ origin: FutureError.Origin) {
        self.node = node
        self.origin = origin
    }

    deinit {
        if !node.isSettled {
            node.complete(error: FutureError.abandoned(origin: origin))
        }
    }

    /// The future that this promise completes. A repetition of it shares its result.
    @inlinable
    public var future: Future<Value> { Future(node: node) }

    /// Completes the future; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func complete(_ result: Result<Value, any Error>) -> Bool {
        node.complete(result)
    }

    /// Completes the future with a value; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func succeed(_ value: Value) -> Bool {
        node.complete(value)
    }

    /// Completes the future with an error; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func fail(_ error: any Error) -> Bool {
        node.complete(error: error)
    }
}

extension Promise<Void> {
    /// Completes the future; false if it was completed or cancelled before.
    @inlinable @discardableResult
    public func succeed() -> Bool { succeed(()) }
}
