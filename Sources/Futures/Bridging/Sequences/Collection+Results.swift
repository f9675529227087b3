// Asynchronous sequences of the results of several futures, in the order of completion or of the futures.

/// The results of several futures, in the order in which they complete: `Collection.results()`.
public struct FutureResults<Value: Sendable>: AsyncSequence, Sendable {
    /// The result of one future.
    public struct Element: Sendable {
        /// The offset of the future in the collection, counted from 0.
        public let offset: Int
        /// The value or error of the future.
        public let result: Result<Value, any Error>
    }

    fileprivate let futures: [Future<Value>]

    /// Returns an iterator, which listens to all futures from now on.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
        AsyncStream { stream in
            guard !futures.isEmpty else { return stream.finish() }
            let missing = Locked(futures.count)
            // By index: `enumerated()` makes four allocations per future where `Value` is not known at compile time.
            let listeners = futures.indices.map { offset in
                Node.listener(to: futures[offset].node) { arrival in
                    stream.yield(Element(offset: offset, result: arrival.child.result(as: Value.self)))
                    let isLast = missing.withLock { count in
                        count -= 1
                        return count == 0
                    }
                    if isLast { stream.finish() }
                }
            }
            stream.onTermination = { _ in DetachListeners(listeners).dispose() }
        }.makeAsyncIterator()
    }
}

/// The values of several futures, in the order of the futures: `Collection.orderedValues()`.
public struct FutureValues<Value: Sendable>: AsyncSequence, Sendable {
    fileprivate let futures: [Future<Value>]

    /// Returns an iterator, which listens to all futures from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(futures) }

    /// The iterator of the values.
    public struct Iterator: AsyncIteratorProtocol {
        private var futures: [Future<Value>]
        private var index = 0
        private let interest: Interest

        fileprivate init(_ futures: [Future<Value>]) {
            self.futures = futures
            interest = Interest(in: futures.indices.map { futures[$0].node })
        }

        /// Returns the value of the next future once that has completed; nil after the last one.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Throws: The error of the future if it fails, or a `CancellationError` if the task is cancelled. The
        ///   remaining futures are then cancelled unless they have other listeners, and later calls return nil.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard index < futures.count else { return nil }
            let future = futures[index]
            index += 1
            do {
                guard await future.node.suspendUntilSettled(isolation: actor) else { throw CancellationError() }
                return try future.result!.get()
            } catch {
                futures = []
                interest.detach()
                throw error
            }
        }

        /// Returns the value of the next future once that has completed; nil after the last one.
        ///
        /// - Throws: The error of the future if it fails, or a `CancellationError` if the task is cancelled. The
        ///   remaining futures are then cancelled unless they have other listeners, and later calls return nil.
        public mutating func next() async throws -> Value? { try await next(isolation: nil) }
    }
}

/// Listens to nodes until it is released, which cancels those that have no other listeners.
private final class Interest: Sendable {
    private let listeners: DetachListeners

    init(in nodes: [Node]) {
        listeners = DetachListeners(nodes.map { Node.listener(to: $0) { _ in } })
    }

    deinit { detach() }

    func detach() { listeners.dispose() }
}

extension Collection {
    /// Returns an asynchronous sequence of the results of these futures, in the order in which they complete. Errors
    /// are results, and do not end it.
    ///
    ///     for await download in downloads.results() { show(download.offset, download.result) }
    ///
    /// When the iteration ends early, or its task is cancelled, the futures that have not completed are cancelled,
    /// unless they have other listeners.
    public func results<Value>() -> FutureResults<Value> where Element == Future<Value> {
        FutureResults(futures: Array(self))
    }

    /// Returns an asynchronous sequence of the values of these futures, in their order, which throws the first error.
    ///
    /// When the iteration ends early, or its task is cancelled, the futures that have not completed are cancelled,
    /// unless they have other listeners.
    public func orderedValues<Value>() -> FutureValues<Value> where Element == Future<Value> {
        FutureValues(futures: Array(self))
    }
}
