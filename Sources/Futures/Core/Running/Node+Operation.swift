// Operations: roots that start with a closure, and how they start.

extension Node {
    /// Creates a root with an operation that returns what stops it. The root has not started.
    @usableFromInline
    static func operation(
        on scheduler: Scheduler, _ traits: Traits = [], _ operation: @escaping @Sendable (Node) throws -> any Disposable
    ) -> Node {
        Node(source: nil, on: scheduler, [traits, .begins], Closure(Starting(call: operation))) { node, _ in
            node.runOperation { try node.closure.load(as: Starting.self).call(node) }
        }
    }

    /// Calls `body`, unless the node was cancelled before, and keeps the disposable that it returns. Fails if it throws.
    @inlinable
    func runOperation(_ body: () throws -> any Disposable) {
        guard tryStart() else { return }
        do {
            started(with: try body())
        } catch {
            settleFromOutside(error: error)
            started(with: NilDisposer())
        }
    }

    /// Marks the operation as starting. Returns false if the node was cancelled before.
    @usableFromInline
    func tryStart() -> Bool {
        if Recording.hasExtras { prepareToStart() }
        return tryBegin()
    }

    /// Starts the operation of a new node in place, or through its scheduler if the closure is isolated to an actor.
    @inlinable
    func start(in isolation: (any Actor)?) {
        if isolation == nil { operation(self, .arrived) } else { start() }
    }
}
