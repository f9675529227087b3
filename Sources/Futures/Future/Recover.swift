// recover, flatMapError, mapError: a value, a future or another error instead of an error.

extension Future {
    /// Returns a future that recovers from an error with the value that `transform` returns for it. Values are passed
    /// on.
    ///
    /// A `CancellationError` with which this future failed is an error like any other; cancelling the returned future
    /// calls nothing.
    ///
    /// - Parameter transform: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned
    ///   future fails with that error.
    @_alwaysEmitIntoClient
    public consuming func recover(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Value
    ) -> Future {
        recover(on: .inferred(from: transform.isolation), Recovering(.isolated(transform)).call)
    }

    /// ``recover(_:)`` with `transform` called on `scheduler`. A value passes without a hop.
    @_alwaysEmitIntoClient
    public consuming func recover(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, Closure(Recovering(transform))) { node, _ in
                let source = node.arrived
                guard !source.isSuccess else { return node.settleInJob(source.value(as: Value.self)) }
                node.settleInJob { try node.closure.load(as: Recovering<Value>.self).call(source.error) }
            })
    }

    /// Returns a future that recovers from an error of type `type` with the value that `transform` returns for it: see
    /// ``recover(_:)``. Errors of other types are passed on without a hop.
    @_alwaysEmitIntoClient
    public consuming func recover<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Value
    ) -> Future {
        let scheduler = Scheduler.inferred(from: transform.isolation)
        return recovering(from: type) { $0.map(on: scheduler, Body(.isolated(transform)).call) }
    }

    /// Returns a future that recovers from an error with the future that `transform` returns for it. Values are passed
    /// on: see ``flatMap(_:)`` and ``recover(_:)``.
    @_alwaysEmitIntoClient
    public consuming func flatMapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) throws -> Future
    ) -> Future {
        flatMapError(on: .inferred(from: transform.isolation), Replacing(.isolated(transform)).call)
    }

    /// ``flatMapError(_:)`` with `transform` called on `scheduler`. A value passes without a hop.
    @_alwaysEmitIntoClient
    public consuming func flatMapError(
        on scheduler: Scheduler, _ transform: @escaping @Sendable (any Error) throws -> Future
    ) -> Future {
        Future(
            node: .step(from: node, on: scheduler, .errors, Closure(Replacing(transform))) { node, _ in
                let source = node.arrived
                guard !source.isSuccess else { return node.settleInJob(source.value(as: Value.self)) }
                node.follow { try node.closure.load(as: Replacing<Value>.self).call(source.error) }
            })
    }

    /// Returns a future that recovers from an error of type `type` with the future that `transform` returns for it: see
    /// ``flatMapError(_:)``. Errors of other types are passed on without a hop.
    @_alwaysEmitIntoClient
    public consuming func flatMapError<Failure: Error>(
        from type: Failure.Type,
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (Failure) throws -> Future
    ) -> Future {
        let scheduler = Scheduler.inferred(from: transform.isolation)
        return recovering(from: type) { $0.flatMap(on: scheduler, Following(.isolated(transform)).call) }
    }

    /// Returns a future that fails with the error that `transform` returns for this one's error: see ``recover(_:)``.
    @_alwaysEmitIntoClient
    public consuming func mapError(
        @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (any Error) -> any Error
    ) -> Future {
        let call = Recovering(.isolated(transform)).call
        return step(on: .inferred(from: transform.isolation), .errors) { result in
            guard case .failure(let error) = result else { return .result(result) }
            return .result(.failure(try call(error)))
        }
    }

    /// The first step runs in place, so that only an error of the type makes a hop.
    @inlinable
    consuming func recovering<Failure: Error>(
        from _: Failure.Type, by recovery: @escaping @Sendable (Future<Failure>) -> Future
    ) -> Future {
        step(on: .inPlace, .errors) { result in
            guard case .failure(let error as Failure) = result else { return .result(result) }
            return .future(recovery(Future<Failure>(error)))
        }
    }
}
