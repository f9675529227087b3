// step: the verb that the operators are made of.

/// What a step's closure makes of its source's result.
enum Next<Value: Sendable> {
    case value(Value)
    case future(Future<Value>)
    /// Pass on the error.
    case error(any Error)

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
    /// `transform` is called on `scheduler` if it wants the result; else in place, to pass it on.
    func step<T>(
        on scheduler: Scheduler, _ wanted: Traits,
        _ transform: @escaping @Sendable (Result<Value, any Error>) throws -> Next<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, wanted) { node, _ in
                guard node.inner == nil else { return node.finish(node.arrived(as: T.self)) }
                node.proceed(Result { try transform(node.arrived(as: Value.self)) })
            })
    }
}

extension Node {
    /// Goes on as `next`. The last step of a node's job.
    func proceed<T>(_ next: Result<Next<T>, any Error>) {
        switch next {
        case .success(.value(let value)): finish(.success(value))
        case .success(.future(let future)): wait(for: future.node)
        case .success(.error(let error)), .failure(let error): finish(Result<T, _>.failure(error))
        }
    }
}
