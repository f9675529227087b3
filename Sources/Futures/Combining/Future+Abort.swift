// abort: gives up a future when a signal comes.

extension Future {
    /// A future of this one's result; or of a `CancellationError`, as soon as one of `signals` succeeds.
    ///
    ///     self:    ------1
    ///     signal:  --()           abort(forFutures: [signal])  --^
    ///
    /// This future is then cancelled, if nobody else listens to it. A signal that fails aborts too, with its error.
    /// Without any signal this is the same future's result. A result that is there already counts, whatever signals are.
    ///
    /// Signals are only watched: they may be shared by many, are not cancelled with what they did not abort, and are not
    /// run again by a repetition, which one that has come aborts at once.
    @inlinable
    public func abort<Signal>(forFutures signals: some Collection<Future<Signal>>) -> Future {
        Future(
            node: .abortable(node, by: signals.map { $0.node }) { node, child in
                node.complete(child.settledResult(as: Value.self))
            })
    }
}

extension Node {
    /// A node that `take` completes with `child`, or that fails when one of `signals` settles before.
    @usableFromInline
    static func abortable(
        _ child: Node, by signals: [Node], take: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        combined([child], counting: 1 + signals.count, unless: signals) { node, children in
            let listener = Node.listener(to: children[0], for: node) { arrival in
                if let node = arrival.parent { take(node, arrival.child) }
            }
            let handler: @Sendable (Node.Arrival) -> Void = { arrival in
                arrival.parent?.complete(error: arrival.child.reasonToAbort)
            }
            let watchers = signals.map { Node.listener(to: $0, for: node, .watcher, handler: handler) }
            return Aborting(listener, watchers)
        }
    }

    /// Leaves the node that this one listens to, without cancelling that; nothing, if it was called.
    func leave() {
        // Under the lock: the job that calls it may be under way.
        guard let listeners = lock() else { return }
        let upstream = upstream
        unlock(listeners)
        _ = upstream?.remove(self)
    }
}

/// What leaves the signals, which go on, and the future, which is cancelled if nobody else listens to it.
private final class Aborting: Disposable {
    private let listener: Node
    private let watchers: [Node]

    init(_ listener: Node, _ watchers: [Node]) {
        self.listener = listener
        self.watchers = watchers
    }

    func dispose() {
        for watcher in watchers { watcher.leave() }
        listener.cancel()
    }
}
