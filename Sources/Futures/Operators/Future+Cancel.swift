// cancel: gives up a future that nobody listens to.

extension Future {
    /// Cancels the future, unless it has completed, or has listeners, or is ``never``: then this does nothing.
    ///
    /// It completes with a `CancellationError`, its operation's disposable is disposed, and it leaves the future that
    /// it waits for; which is cancelled too, if nobody else listens to it, and so on up. What had not begun never
    /// begins. Of the closures of a chain that is cancelled so, only those of `onCancel` and `always` are called.
    ///
    /// - Returns: Whether this call has cancelled the future. If it is false and the future is pending, other code
    ///   listens to it (cancel what the listener was returned as), or its result is there and about to be shown.
    @discardableResult
    public func cancel() -> Bool {
        node.cancel()
    }

    /// A disposable that cancels this future when it is disposed or released.
    ///
    /// It lets go of the future when that completes, and leaves its bag. It does not count as a listener.
    public var disposable: any Disposable {
        Cancelling(node)
    }
}

extension DisposeBag {
    /// Adds a future, to be cancelled with the bag; it leaves the bag when it completes.
    public static func += <Value>(bag: DisposeBag, future: Future<Value>) {
        bag += future.disposable
    }
}

/// Cancels a node, as long as that is pending.
private final class Cancelling: Expiring {
    private let target: Target

    init(_ node: Node) {
        target = Target(node)
        target.watch(node)
    }

    deinit { dispose() }

    func dispose() { target.take()?.cancel() }

    func expires(with entry: DisposeBag.Entry) { target.keep(entry) }

    /// Apart from the disposable, so that the node's watcher does not keep that alive.
    private final class Target: Sendable {
        private struct State {
            var node: Node?
            var watcher: Node?
            var entries: [DisposeBag.Entry] = []
        }

        private let state: Locked<State>

        init(_ node: Node) { state = Locked(State(node: node)) }

        func watch(_ node: Node) {
            let watcher = Node.listener(to: node, .watcher) { [self] _ in _ = take() }
            state.withLock { if $0.node != nil { $0.watcher = watcher } }
        }

        func keep(_ entry: DisposeBag.Entry) {
            let isExpired = state.withLock { state in
                if state.node != nil { state.entries.append(entry) }
                return state.node == nil
            }
            if isExpired { entry.drop() }
        }

        func take() -> Node? {
            let old = state.withLock { state in
                defer { state = State() }
                return state
            }
            for entry in old.entries { entry.drop() }
            old.watcher?.cancel()
            return old.node
        }
    }
}
