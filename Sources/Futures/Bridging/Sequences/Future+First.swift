// Future(first:): the first element of an asynchronous sequence, as a future.

extension Future {
    /// Creates a future of the first element of `sequence`, and starts to iterate it in a task.
    ///
    /// It fails with the sequence's error, or with ``FutureError/noElement`` if the sequence is empty. Cancelling the
    /// future cancels the task. A repetition iterates the sequence again.
    public init<S: AsyncSequence & Sendable>(first sequence: S) where S.Element == Value {
        self.init {
            for try await element in sequence { return element }
            throw FutureError.noElement
        }
    }
}
