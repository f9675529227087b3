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
