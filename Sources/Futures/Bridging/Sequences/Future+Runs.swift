// Runs: a future's run and its repetitions, one after the other, as an asynchronous sequence.

extension Future {
    /// The results of this run and of its repetitions, without end, as an asynchronous sequence.
    ///
    ///     for await status in fetchStatus.runs(delayBetweenRepetitions: .seconds(5)) { show(status) }
    ///
    /// A repetition begins when the next result is asked for, `delayBetweenRepetitions` later. When the task is cancelled
    /// the run in progress is left, and the sequence ends.
    public func runs(delayBetweenRepetitions delay: Duration? = nil) -> FutureRuns<Value> {
        FutureRuns(first: self, delay: delay)
    }
}

/// The results of a future's run and of its repetitions: ``Future/runs(delayBetweenRepetitions:)``.
public struct FutureRuns<Value: Sendable>: AsyncSequence, Sendable {
    fileprivate let first: Future<Value>
    fileprivate let delay: Duration?

    /// Begins with the future's own result.
    public func makeAsyncIterator() -> Iterator { Iterator(runs: self) }

    /// Goes through the results.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let runs: FutureRuns
        private var last: Future<Value>?

        fileprivate init(runs: FutureRuns) { self.runs = runs }

        /// The next result, once it is there; nil once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Result<Value, any Error>? {
            var run = runs.first
            if let last {
                if let delay = runs.delay {
                    let pause = Future<Void>().delay(by: delay, on: .immediate)
                    guard await pause.node.suspendUntilSettled(isolation: actor) else { return nil }
                }
                // Also if runs complete at once, and so never suspend.
                guard !Task.isCancelled else { return nil }
                run = Future(node: last.node.rerun())
            }
            last = run
            guard await run.node.suspendUntilSettled(isolation: actor) else { return nil }
            return run.result
        }

        /// The same, wherever it is called.
        public mutating func next() async -> Result<Value, any Error>? { await next(isolation: nil) }
    }
}
