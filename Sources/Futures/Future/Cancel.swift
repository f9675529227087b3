// cancel, disposable, shieldedFromCancellation: cancelling a future that has no listeners.

extension Future {
    /// Cancels the future, unless it has completed, has listeners, or is ``never``; then this does nothing.
    ///
    /// The future completes with a `CancellationError`, and its operation's disposable is disposed. The future stops
    /// listening to its source, which is cancelled too unless it has other listeners, and so on up the chain.
    /// Operations that have not started never start. Of the closures of the cancelled chain, only those of `onCancel`
    /// and `always` are called.
    ///
    /// To cancel a chain, cancel its last future: the others have listeners.
    ///
    /// - Returns: Whether this call has cancelled the future. If false, the future has completed or is about to
    ///   complete, is ``never``, or has listeners.
    @discardableResult
    public func cancel() -> Bool {
        node.cancel()
    }

    /// Whether the future was cancelled, or has failed with a `CancellationError` otherwise.
    @_alwaysEmitIntoClient
    public var isCancelled: Bool {
        if case .failure(is CancellationError)? = result { true } else { false }
    }

    /// A disposable that cancels this future when it is disposed or released.
    ///
    /// It does not count as a listener, so it does not prevent the future from being cancelled. When the future
    /// completes, the disposable releases it. Each access returns a new disposable.
    public var disposable: any Disposable {
        Cancelling(node)
    }
}

extension DisposeBag {
    /// Adds a future, which is cancelled when the bag is disposed. When the future has completed, the bag does not
    /// retain it any more.
    public static func += <Value>(bag: DisposeBag, future: Future<Value>) {
        bag += future.disposable
    }
}

/// Cancels a node that is still pending.
final class Cancelling: Disposable {
    private struct State {
        var node: Node?
        var watcher: Node?
    }

    /// An object of its own, so that the node's watcher does not retain the disposable.
    private let state: Locked<State>

    fileprivate init(_ node: Node) {
        let state = Locked(State(node: node))
        self.state = state
        let watcher = Node.listener(to: node, .watcher) { _ in _ = Self.take(from: state) }
        state.withLock { if $0.node != nil { $0.watcher = watcher } }
    }

    deinit { dispose() }

    func dispose() { Self.take(from: state)?.cancel() }

    /// Whether there is nothing to cancel any more.
    var hasExpired: Bool { state.withLock { $0.node == nil } }

    private static func take(from state: Locked<State>) -> Node? {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        old.watcher?.cancel()
        return old.node
    }
}

extension Future {
    /// Returns a future with the same result, which can be cancelled without cancelling this one.
    ///
    /// From this call on, this future cannot be cancelled by any consumer, because it keeps the listener that protects
    /// it until it completes. Each call adds one: shield a future that lives long once, and share the result.
    public func shieldedFromCancellation() -> Future {
        Future(
            node: .combined([node], isShield: true) { node, children in
                _ = Node.listener(to: children[0], for: node, handler: Node.completingParent)
                return []
            })
    }
}
