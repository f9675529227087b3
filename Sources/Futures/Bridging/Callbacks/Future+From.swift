// from(callback:): futures of functions that take a completion.

// Static functions, not initialisers: as one of those, each would take a `Future { completion in … }` whose Disposable
// was forgotten.
extension Future {
    /// A future of a function whose completion takes a result.
    ///
    ///     let zone = Future.from { completion in
    ///         api.zoneExists(named: name, completion: completion)
    ///     }
    ///
    /// `body` is called at once; a throw is a failure. The first completion counts. One that is released without being
    /// called fails the future with ``FutureError/abandoned(origin:)``. A cancel stops nothing, and completes the future:
    /// for what can be stopped there is ``Future/init(file:line:operation:)``. A repetition calls `body` again.
    public static func from<Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (Result<Value, Failure>) -> Void)
            throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable (result: Result<Value, Failure>) in complete(result.mapError { $0 }) }
        }
    }

    /// A future of a function whose completion takes a value or an error, each if there is one.
    ///
    /// An error is a failure, even beside a value; neither is ``FutureError/neitherValueNorError(origin:)``.
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (Value?, (any Error)?) -> Void)
            throws -> Void
    ) -> Future {
        let origin = FutureError.Origin(file, line: line)
        return called(body, origin) { complete in
            { @Sendable (value: Value?, error: (any Error)?) in
                if let error { return complete(.failure(error)) }
                guard let value else {
                    return complete(.failure(FutureError.neitherValueNorError(origin: origin)))
                }
                complete(.success(value))
            }
        }
    }

    /// A future of a function whose completion takes a value, and an error if there is one.
    ///
    /// An error is a failure, whatever the value.
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (Value, (any Error)?) -> Void)
            throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable (value: Value, error: (any Error)?) in
                if let error { complete(.failure(error)) } else { complete(.success(value)) }
            }
        }
    }
}

extension Future<Void> {
    /// A future of a function whose completion takes an error, if there is one.
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body: @escaping @Sendable @isolated(any) (@escaping @Sendable ((any Error)?) -> Void) throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable (error: (any Error)?) in complete(error.map(Result.failure) ?? .success(())) }
        }
    }
}

extension Future {
    /// The future of `body`, which takes a `Callback`: what `callback` makes of this future's own completion.
    private static func called<Callback>(
        _ body: @escaping @Sendable @isolated(any) (Callback) throws -> Void, _ origin: FutureError.Origin,
        _ callback: @escaping @Sendable (@escaping Completion) -> Callback
    ) -> Future {
        let isolation = body.isolation
        let (scheduler, body) = place(body)
        let node = Node.operation(
            on: scheduler,
            { (completion: @escaping Completion) in
                try body(callback(completion))
                return NilDisposer()
            }, origin)
        node.begin(in: isolation)
        return Future(node: node)
    }
}
