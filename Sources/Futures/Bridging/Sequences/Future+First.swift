// The first element of an asynchronous sequence, as a future.

extension Future {
    /// A future of the first element of `sequence`, which it begins to go through at once.
    ///
    /// It fails with the sequence's error, or with ``FutureError/noElement`` if that ends without one. Cancelling it
    /// cancels the task that goes through it. A repetition goes through it afresh.
    public init<S: AsyncSequence & Sendable>(first sequence: S) where S.Element == Value {
        self.init {
            for try await element in sequence { return element }
            throw FutureError.noElement
        }
    }
}
