// step: the function behind the operators whose closure may return a value or a future.

/// What a step's closure returns for the result of the step's source.
@usableFromInline
enum Next<Value: Sendable> {
    case value(Value)
    case future(Future<Value>)
    /// Fails the step with this error, as if the closure had thrown it.
    case error(any Error)

    @inlinable
    static func result(_ result: Result<Value, any Error>) -> Next {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error): .error(error)
        }
    }
}

/// Takes a result and returns a value or a future.
@usableFromInline
struct Transforming<Value: Sendable, T: Sendable>: ClosureShape {
    @usableFromInline let call: @Sendable (Result<Value, any Error>) throws -> Next<T>
    @inlinable init(_ call: @escaping @Sendable (Result<Value, any Error>) throws -> Next<T>) { self.call = call }
}

/// Takes the step's node and returns a value or a future.
@usableFromInline
struct Stepping<T: Sendable>: ClosureShape {
    @usableFromInline let call: @Sendable (Node) throws -> Next<T>
    @inlinable init(_ call: @escaping @Sendable (Node) throws -> Next<T>) { self.call = call }
}

extension Future {
    /// Returns a future of the value that `transform` returns for this future's result, or of the result of the future
    /// that `transform` returns. If `transform` throws, the returned future fails with that error.
    ///
    /// `transform` is called on `scheduler` with a `wanted` result, and in place with any other one, to pass it on. It
    /// usually captures the user's closure, which costs an allocation: operators on the hot path make their nodes.
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
    /// Settles this node with the value or the error that `next` returns, or waits for the future that `next` returns.
    /// If `next` throws, the node fails with that error.
    @inlinable
    func goOn<T>(_ next: () throws -> Next<T>) {
        do {
            switch try next() {
            case .value(let value): settleInJob(value)
            case .future(let future): wait(for: future)
            case .error(let error): failInJob(error)
            }
        } catch {
            failInJob(error)
        }
    }

    /// Does the same as `settleInJob(error:)`, which is compiled into each caller.
    @usableFromInline @inline(never)
    func failInJob(_ error: any Error) { settleInJob(error: error) }
}

extension Future {
    /// Returns a step like `step(on:_:_:)`. Its closure is called with the step's node, so that it can repeat the source.
    ///
    /// `servedNext`: whether a transform returns the step. Then its closure is called after that transform has returned,
    /// when the chain waits for the step, so that a cancel of the chain reaches it.
    @inlinable
    func stepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, servedNext: Bool = false,
        _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        let step = Node(source: node, on: scheduler, [wanted, .passesFailures], Closure(Stepping(next))) { node, _ in
            node.goOn { try node.closure.load(as: Stepping<T>.self).call(node) }
        }
        if servedNext { node.addServedNext(step) } else { step.attach() }
        return Future<T>(node: step)
    }
}

extension Node {
    /// Attaches `step`. If this node has settled, `step` runs right after the job in progress.
    @usableFromInline
    func addServedNext(_ step: Node) {
        if Recording.hasExtras { step.prepareToServeNext() }
        if add(step) == .settled { ThreadState.here.serveNext(JobList(step)) }
    }
}
