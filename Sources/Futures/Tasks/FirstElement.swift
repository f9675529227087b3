// Future.first(of:): the first element of an asynchronous sequence, as a future.

// Not an initializer: the compiler would try it for each trailing closure of `Future { … }`, and report a mistake in
// the rest of the chain there.
extension Future {
    /// Returns a future of the first element of `sequence`, and starts to iterate it in a task.
    ///
    /// It fails with the sequence's error, or with ``FutureError/noElement`` if the sequence is empty. Cancelling the
    /// future cancels the task. A repetition iterates the sequence again.
    public static func first<S: AsyncSequence & Sendable>(of sequence: S) -> Future where S.Element == Value {
        Future {
            for try await element in sequence { return element }
            throw FutureError.noElement
        }
    }
}
