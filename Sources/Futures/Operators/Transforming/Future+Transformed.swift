// transformed: an operator of the user's that takes part in repetitions.

extension Future {
    /// Returns a future that completes as the one that `make` returns, which is called with this future: in a
    /// repetition, with a future of that run.
    ///
    ///     extension Future {
    ///         func replaced(with value: Value, when trigger: Future<Void>) -> Future {
    ///             transformed(on: .immediate) { source in
    ///                 select(source, or: trigger).map(on: .immediate) { $0.left ?? value }
    ///             }
    ///         }
    ///     }
    ///
    /// Write operators with it that cannot be composed of others: a closure that refers to `self` instead, such as that
    /// of `Future { completion in … }`, gets the same future, with the same result, in each repetition. What the
    /// closure creates belongs to one run.
    ///
    /// When the returned future completes or is cancelled, this one is cancelled, unless it has other listeners.
    ///
    /// - Parameter make: Called once in each run, when that begins, on the closure's actor, or else on the current
    ///   scheduler. Its argument cannot be cancelled, except by the end of the returned future. If it throws, the
    ///   returned future fails with that error.
    public func transformed<T: Sendable>(
        @_inheritActorContext _ make: @escaping @Sendable @isolated(any) (Future) throws -> Future<T>
    ) -> Future<T> {
        let (scheduler, make) = isolated(make)
        return transformed(on: scheduler, make)
    }

    /// Returns a future that completes as the one that `make` returns, which is called on `scheduler` with this future:
    /// in a repetition, with a future of that run.
    ///
    /// When the returned future completes or is cancelled, this one is cancelled, unless it has other listeners.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that `make` is called on.
    ///   - make: Called once in each run, when that begins. Its argument cannot be cancelled, except by the end of the
    ///     returned future. If it throws, the returned future fails with that error.
    public func transformed<T: Sendable>(
        on scheduler: Scheduler, _ make: @escaping @Sendable (Future) throws -> Future<T>
    ) -> Future<T> {
        Future<T>(
            node: .combined([node]) { node, children in
                // A step of its own: what a combination combines may lose its result.
                let source = Future(node: children[0]).always(on: .inPlace) {}
                let result = Future<Void>().flatMap(on: scheduler) { try make(source) }
                // The first one cancels the source at the end, even if `make` has not used it.
                return DetachListeners([
                    Node.listener(to: source.node, for: node) { _ in },
                    Node.listener(to: result.node, for: node, handler: Node.completingParent),
                ])
            })
    }
}
