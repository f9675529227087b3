// withoutHistory: releases the chain that has led to a result.

extension Future {
    /// Returns a future of the same result that releases this one, and all that led to its result, once it has
    /// completed.
    ///
    ///     var tail = Future()
    ///     tail = tail.flatMap { write(line) }.withoutHistory()
    ///
    /// Any other future retains its operation and its transforms, with all that their closures have captured, so that
    /// it can be repeated. A chain that grows without end, as in the example, would retain every line. The price is
    /// that a repetition of the returned future shares its result. Cancelling passes through it, as through any
    /// operator.
    public func withoutHistory() -> Future {
        Future(node: .withoutHistory(node))
    }
}
