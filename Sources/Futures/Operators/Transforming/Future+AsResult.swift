// asResult: a result as a value.

extension Future {
    /// Returns a future of this one's result, which succeeds even if this one fails.
    ///
    ///     join([page(1), page(2)].map { $0.asResult() })          // Future<[Result<Page, any Error>]>
    ///
    /// A `CancellationError` with which this future failed is a result like any other. Cancelling the returned future
    /// fails it, and cancels this one unless that has other listeners.
    @_alwaysEmitIntoClient
    public consuming func asResult() -> Future<Result<Value, any Error>> {
        mapResult(on: .inPlace) { $0 }
    }
}
