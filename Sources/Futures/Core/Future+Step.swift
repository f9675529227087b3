// step: the verb of the operators whose closure may return a value or a future.

/// What a step's closure makes of its source's result.
@usableFromInline
enum Next<Value: Sendable> {
    case value(Value)
    case future(Future<Value>)
    /// Pass on the error.
    case error(any Error)

    @inlinable
    static func result(_ result: Result<Value, any Error>) -> Next {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error): .error(error)
        }
    }
}

extension Future {
    /// A future that goes on as what `transform` makes of this one's result; as an error, if it throws.
    ///
    /// `transform` is called on `scheduler` if it wants the result; else in place, to pass it on. For operators that
    /// are not on the hot path: `transform` mostly captures the user's closure, which costs an allocation.
    @inlinable
    func step<T>(
        on scheduler: Scheduler, _ wanted: Traits,
        _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> Next<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, wanted, Closure(Transforming(transform))) { node, _ in
                node.goOn {
                    try node.closure.load(as: Transforming<Value, T>.self).call(node.arrived.result(as: Value.self))
                }
            })
    }
}

extension Node {
    /// Goes on as `next` returns, or fails with what it throws.
    @inlinable
    func goOn<T>(_ next: () throws -> Next<T>) {
        do {
            switch try next() {
            case .value(let value): finish(value)
            case .future(let future): wait(for: future)
            case .error(let error): finish(error: error)
            }
        } catch {
            finish(error: error)
        }
    }
}

extension Future {
    /// Returns a step as the core's `step` does; but its closure gets the node, and so the run that it may repeat.
    @inlinable
    func stepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        let node = unattachedStep(on: scheduler, wanted, next)
        node.attach()
        return Future<T>(node: node)
    }

    /// Returns a step for a transform to return: if this future has completed, the closure is called after the
    /// transform has returned. By then the chain is linked to the step, so that a cancel reaches it.
    @inlinable
    func nextStepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        let step = unattachedStep(on: scheduler, wanted, next)
        node.addServedNext(step)
        return Future<T>(node: step)
    }

    @inlinable
    func unattachedStep<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Node {
        Node(source: node, on: scheduler, wanted, Closure(Stepping(next))) { node, _ in
            node.goOn { try node.closure.load(as: Stepping<T>.self).call(node) }
        }
    }
}

extension Node {
    /// Attaches `step`; if this node has settled, its closure is called after the current job has returned.
    @usableFromInline
    func addServedNext(_ step: Node) {
        if add(step) == .settled { ThreadState.here.serveNext(JobList(step)) }
    }
}
