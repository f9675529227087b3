// runs: the results of a future and of its repetitions, as an asynchronous sequence.

extension Future {
    /// Returns an endless asynchronous sequence of the results of this future and of its repetitions.
    ///
    ///     for await status in fetchStatus.runs(delayBetweenRepetitions: .seconds(5)) { show(status) }
    ///
    /// Errors are results, and do not end it. A repetition starts only when its result is asked for. When the task is
    /// cancelled, the sequence ends, and the run in progress is cancelled unless it has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: Whose clock times the delay.
    ///   - delay: The time between the call that asks for a result and the start of its repetition.
    public func runs(
        on scheduler: Scheduler = .current, delayBetweenRepetitions delay: Duration? = nil
    ) -> FutureRuns<Value> {
        FutureRuns(first: self, scheduler: scheduler, delay: delay)
    }
}

/// The results of a future and of its repetitions: ``Future/runs(on:delayBetweenRepetitions:)``.
public struct FutureRuns<Value: Sendable>: AsyncSequence, Sendable {
    fileprivate let first: Future<Value>
    fileprivate let scheduler: Scheduler
    fileprivate let delay: Duration?

    /// Returns an iterator, which starts with the future's own result.
    public func makeAsyncIterator() -> Iterator { Iterator(runs: self) }

    /// The iterator of the results.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let runs: FutureRuns
        private var last: Future<Value>?

        fileprivate init(runs: FutureRuns) { self.runs = runs }

        /// Starts a repetition, except for the first result, and returns its result; nil if the task is cancelled.
        ///
        /// - Parameter actor: The actor of the caller.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Result<Value, any Error>? {
            var run = runs.first
            if let last {
                if let delay = runs.delay {
                    let pause = Future<Void>().delay(by: delay, on: runs.scheduler)
                    guard await pause.node.suspendUntilSettled(isolation: actor) else { return nil }
                }
                // Checked here too: runs that complete immediately never suspend.
                guard !Task.isCancelled else { return nil }
                run = last.rerun()
            }
            last = run
            guard await run.node.suspendUntilSettled(isolation: actor) else { return nil }
            return run.result
        }

        /// Starts a repetition, except for the first result, and returns its result; nil if the task is cancelled.
        public mutating func next() async -> Result<Value, any Error>? { await next(isolation: nil) }
    }
}
