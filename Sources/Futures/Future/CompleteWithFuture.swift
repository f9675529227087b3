// Promise.complete(with:): completes a promise as a future.

extension Promise {
    /// Completes the promise's future as `other` does, when that has a result.
    ///
    /// If the promise is completed in another way before, or its future is cancelled, the result of `other` is ignored.
    /// Neither cancels `other`, which this listens to: as for any completion, the code that completes a promise does
    /// not notice that its future was cancelled. To cancel both, pass on `other` itself, and no promise.
    ///
    /// - Parameter other: The future whose result the promise gets. If it is the promise's own future, that fails with
    ///   ``FutureError/awaitsItself``. One that was made from the promise's own future is not noticed, and stays
    ///   pending.
    public func complete(with other: Future<Value>) {
        guard other.node.resolved !== future.node else {
            fail(FutureError.awaitsItself)
            return
        }
        _ = Node.listener(to: other.node) { [token] in token.node.settleFromOutside(copying: $0.child) }
    }
}
