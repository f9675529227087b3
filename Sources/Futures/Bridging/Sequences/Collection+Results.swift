// results: an asynchronous sequence of the results of several futures, in the order in which they complete.

/// The results of several futures, in the order in which they complete: `Collection.results()`.
public struct FutureResults<Value: Sendable>: AsyncSequence, Sendable {
    /// The offset of a future in the collection, counted from 0, and its value or error.
    public typealias Element = (offset: Int, result: Result<Value, any Error>)

    fileprivate let futures: [Future<Value>]

    /// Returns an iterator, which listens to all futures from now on.
    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
        AsyncStream { stream in
            guard !futures.isEmpty else { return stream.finish() }
            let missing = Locked(futures.count)
            // By index: `enumerated()` makes four allocations per future where `Value` is not known at compile time.
            let listeners = futures.indices.map { offset in
                Node.listener(to: futures[offset].node) { arrival in
                    stream.yield((offset, arrival.child.result(as: Value.self)))
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
}
