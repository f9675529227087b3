// Future: a result that is not available yet.

/// A result that is not available yet: a value, or an error.
///
///     let page = Future<Data> { completion in
///         let task = session.dataTask(with: url) { data, _, error in
///             completion(error.map(Result.failure) ?? .success(data!))
///         }
///         task.resume()
///         return Disposer { task.cancel() }
///     }
///     page.map { try Page($0) }.onValue { show($0) }.onError { report($0) }
///
/// The operation runs at most once, whether or not the future has listeners. The future keeps its result for listeners
/// that are attached later. Listeners are called in the order in which they were attached; one that is attached after
/// completion may be called before those that have yet to get to their scheduler. A future without listeners can be
/// cancelled. Releasing a future does not cancel it: it completes, and its listeners are called. Every future
/// keeps its recipe, so that it can be repeated. A future without an operation, such as that of a promise, is shared by
/// the repetitions instead. `Documentation/Contract` has every rule and its test.
///
/// A future is one reference: copies are the same future, and equal.
public struct Future<Value: Sendable>: Sendable {
    @usableFromInline package let node: Node

    @inlinable
    init(node: consuming Node) { self.node = node }

    /// Creates the future of a root with an operation, and starts that.
    @inlinable
    init(starting node: consuming Node) {
        node.start()
        self.node = node
    }

    /// A closure that completes a future. Call it once, from any thread. Later calls are ignored.
    ///
    /// If it is released without having been called, the future fails with ``FutureError/abandoned(origin:)``.
    public typealias Completion = @Sendable (Result<Value, any Error>) -> Void

    /// The result, or nil if the future is pending.
    @inlinable
    public var result: Result<Value, any Error>? { node.currentResult(as: Value.self) }

    /// Whether the future has a result: a value, an error or a cancellation.
    @inlinable
    public var isCompleted: Bool { node.hasSettled }

    /// A future that never completes. It stores none of its listeners, and it cannot be cancelled.
    public static var never: Future { Future(node: .never) }
}

extension Future: Equatable {
    /// Returns whether both are the same future, not whether their results are equal.
    ///
    /// Some operators return the future itself if there is nothing to do for them.
    @inlinable
    public static func == (a: Future, b: Future) -> Bool { a.node === b.node }
}
