// Operations: roots that start with a closure, and how they start.

extension Node {
    /// Creates a root with an operation that returns what stops it. The root has not started.
    @usableFromInline
    static func operation(
        on scheduler: Scheduler, _ traits: Traits = [], _ operation: @escaping @Sendable (Node) throws -> any Disposable
    ) -> Node {
        Node(source: nil, on: scheduler, [traits, .begins], Closure(Starting(call: operation))) { node, event in
            node.start(event) { try node.closure.load(as: Starting.self).call(node) }
        }
    }

    /// Creates a root with an operation that calls a completion closure. The root has not started.
    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler,
        _ operation: @escaping @Sendable (@escaping Future<Value>.Completion) throws -> any Disposable,
        _ origin: FutureError.SourceLocation
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, Closure(Completing(operation)), origin: origin) { node, event in
            guard node.tryStart(event) else { return }
            // The completion captures only this token, so that no second object is allocated for its context.
            let token = Token(node)
            do {
                let operation = node.closure.load(as: Completing<Value>.self).call
                node.started(with: try operation { token.node.settleFromOutside($0) })
            } catch {
                // While the token is alive: releasing it first would fail the future as abandoned.
                token.node.settleFromOutside(error: error)
                node.started(with: NilDisposer())
            }
        }
    }

    /// Creates a root that settles with what `function` returns or throws. The root has not started.
    @inlinable
    static func operation<Value: Sendable>(
        on scheduler: Scheduler, returning function: @escaping @Sendable () throws -> Value
    ) -> Node {
        Node(source: nil, on: scheduler, .begins, Closure(Producing(function))) { node, event in
            node.start(event) {
                node.settleFromOutside(try node.closure.load(as: Producing<Value>.self).call())
                return NilDisposer()
            }
        }
    }

    /// Calls `start`, unless the node was cancelled before, and keeps the disposable that it returns. Fails if it throws.
    @inlinable
    func start(_ event: NodeEvent, _ start: () throws -> any Disposable) {
        guard tryStart(event) else { return }
        do {
            started(with: try start())
        } catch {
            settleFromOutside(error: error)
            started(with: NilDisposer())
        }
    }

    /// Marks the operation as starting. Returns false if the node was cancelled before.
    @usableFromInline
    func tryStart(_ event: NodeEvent) -> Bool {
        if Recording.hasExtras {
            // A report of diagnosing knows each node that is recorded.
            prepareToStart()
        } else if event == .created {
            progress = .starting
            return true
        }
        return tryBegin()
    }

    /// Starts the operation of a new node in place, or through its scheduler if the closure is isolated to an actor.
    @inlinable
    func start(in isolation: (any Actor)?) {
        if isolation == nil { operation(self, .created) } else { start() }
    }
}
