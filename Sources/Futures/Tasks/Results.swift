// results: an asynchronous sequence of the results of several futures, in the order in which they complete.

extension Collection {
    /// Returns an asynchronous sequence of the results of these futures, each with the future's offset in this
    /// collection, in the order in which they complete. Errors are results, and do not end it.
    ///
    ///     for await download in downloads.results() { show(download.offset, download.result) }
    ///
    /// It listens to the futures from this call on, and is to be iterated once. When the iteration ends early, or its
    /// task is cancelled, the futures that have not completed are cancelled on ``Scheduler/background``, unless they
    /// have other listeners.
    public func results<Value>() -> AsyncStream<(offset: Int, result: Result<Value, any Error>)>
    where Element == Future<Value> {
        AsyncStream { stream in
            guard !isEmpty else { return stream.finish() }
            let missing = Countdown(count, ())
            // By offset: `enumerated()` makes four allocations per future where `Value` is not known at compile time.
            var offset = 0
            let listeners = map { future in
                let number = offset
                offset += 1
                return Node.listener(to: future.node) { arrival in
                    stream.yield((number, arrival.child.result(as: Value.self)))
                    if missing.countDown() { stream.finish() }
                }
            }
            stream.onTermination = { _ in
                // Not in the cancel of a task, which holds the runtime's lock of that: a cancel calls code of users.
                Scheduler.background.asyncUnfinished { for listener in listeners { listener.cancel() } }
            }
        }
    }
}
