// Asynchronous sequences of the results of several futures, as they come or in their order.

/// The results of several futures, as they come: `futures.results()`.
public struct FutureResults<Value: Sendable>: AsyncSequence, Sendable {
    /// One result, and whose it is.
    public struct Element: Sendable {
        /// The place of the future among all, counted from 0.
        public let offset: Int
        /// What it has completed with.
        public let result: Result<Value, any Error>
    }

    fileprivate let futures: [Future<Value>]

    /// Begins to listen to all of them.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
        AsyncStream { stream in
            guard !futures.isEmpty else { return stream.finish() }
            let missing = Locked(futures.count)
            // By their places: to enumerate them takes four allocations each where `Value` is not known.
            let listeners = futures.indices.map { offset in
                Node.listener(to: futures[offset].node) { arrival in
                    stream.yield(Element(offset: offset, result: arrival.child.settledResult(as: Value.self)))
                    let isLast = missing.withLock { count in
                        count -= 1
                        return count == 0
                    }
                    if isLast { stream.finish() }
                }
            }
            stream.onTermination = { _ in Leaving(listeners).dispose() }
        }.makeAsyncIterator()
    }
}

/// The values of several futures in their order: `futures.orderedValues()`.
public struct FutureValues<Value: Sendable>: AsyncSequence, Sendable {
    fileprivate let futures: [Future<Value>]

    /// Begins to listen to all of them.
    public func makeAsyncIterator() -> Iterator { Iterator(futures) }

    /// Goes through the values.
    public struct Iterator: AsyncIteratorProtocol {
        private var futures: [Future<Value>]
        private var index = 0
        private let interest: Interest

        fileprivate init(_ futures: [Future<Value>]) {
            self.futures = futures
            interest = Interest(in: futures.indices.map { futures[$0].node })
        }

        /// The next value, once it is there; throws the error of a future that fails, or a `CancellationError` if the
        /// task is cancelled. After that, there is none.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard index < futures.count else { return nil }
            let future = futures[index]
            index += 1
            do {
                guard await future.node.suspendUntilSettled(isolation: actor) else { throw CancellationError() }
                return try future.result!.get()
            } catch {
                futures = []
                interest.leave()
                throw error
            }
        }

        /// The same, wherever it is called.
        public mutating func next() async throws -> Value? { try await next(isolation: nil) }
    }
}

/// Listens to nodes until it is let go of: what nobody else listens to is cancelled then.
private final class Interest: Sendable {
    private let leaving: Leaving

    init(in nodes: [Node]) {
        leaving = Leaving(nodes.map { Node.listener(to: $0) { _ in } })
    }

    deinit { leave() }

    func leave() { leaving.dispose() }
}

extension Collection {
    /// The results of these futures as they come, failures included, as an asynchronous sequence.
    ///
    ///     for await download in downloads.results() { show(download.offset, download.result) }
    ///
    /// Whoever stops to iterate, or is cancelled, leaves the futures that have not completed; they are cancelled, unless
    /// somebody else listens to them.
    public func results<Value>() -> FutureResults<Value> where Element == Future<Value> {
        FutureResults(futures: Array(self))
    }

    /// The values of these futures in their order, as an asynchronous sequence that throws the first error.
    ///
    /// Whoever stops to iterate, or is cancelled, leaves the futures that have not completed; they are cancelled, unless
    /// somebody else listens to them.
    public func orderedValues<Value>() -> FutureValues<Value> where Element == Future<Value> {
        FutureValues(futures: Array(self))
    }
}
