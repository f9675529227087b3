// performWhile: something that goes on for as long as a future is pending.

extension Future {
    /// Calls `work` unless this one has completed, and disposes what it returns once it does or is cancelled.
    ///
    /// With `delay`, `work` is called when so much time has passed; for what is done by then, never. It is disposed where
    /// `work` was called. The future that is returned has the same result, once it was disposed.
    @inlinable @discardableResult
    public func performWhile(
        delayBy delay: Duration? = nil,
        @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () -> any Disposable
    ) -> Future {
        let (scheduler, work) = place(work)
        return performing(on: scheduler, delay, work)
    }

    /// The same, with `work` called, and its disposable disposed, on `scheduler`.
    @inlinable @discardableResult
    public func performWhile(
        on scheduler: Scheduler, delayBy delay: Duration? = nil,
        _ work: @escaping @Sendable () -> any Disposable
    ) -> Future {
        performing(on: scheduler, delay, work)
    }

    @inlinable
    func performing(
        on scheduler: Scheduler, _ delay: Duration?, _ work: @escaping @Sendable () throws -> any Disposable
    ) -> Future {
        Future(
            node: .performing(node, Meanwhile.Recipe(scheduler, delay, work)) { source, handler in
                Future(node: source).always(on: scheduler, handler).node
            } pass: { node, end in
                node.complete(end.settledResult(as: Value.self))
            })
    }
}

extension Node {
    @usableFromInline
    static func performing(
        _ source: Node, _ recipe: Meanwhile.Recipe,
        always: @escaping @Sendable (Node, @escaping @Sendable () -> Void) -> Node,
        pass: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        combined([source]) { node, children in
            let source = children[0].resolved
            guard !source.isSettled else {
                node.readChildren { pass(node, source) }
                return NilDisposer()
            }
            let meanwhile = Meanwhile(for: source)
            let end = always(source) { meanwhile.end() }
            let listener = Node.listener(to: end, for: node) { arrival in
                if let node = arrival.parent { pass(node, arrival.child) }
            }
            meanwhile.begin(recipe)
            return Leaving([listener])
        }
    }
}
