// from(callback:): futures of functions that take a completion.

// Static functions, not initializers: an initializer would also accept a `Future { completion in … }` that returns no
// disposable by mistake.
extension Future {
    /// Returns a future of a function whose completion takes a result.
    ///
    ///     let zone = Future.from { completion in
    ///         api.zoneExists(named: name, completion: completion)
    ///     }
    ///
    /// Cancelling the future completes it, and does not stop the function. If the function can be stopped, use
    /// ``Future/init(file:line:operation:)``. A repetition calls `body` again.
    ///
    /// `body` is called before this returns, unless it belongs to an actor that has to be reached first. It calls its
    /// completion with the result, now or later, from any thread; later calls are ignored. If it throws, the future
    /// fails with that error; if the completion is released without being called, with
    /// ``FutureError/abandoned(origin:)``.
    public static func from<Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (Result<Value, Failure>) -> Void)
            throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable (result: Result<Value, Failure>) in complete(result.withAnyError) }
        }
    }

    /// Returns a future of a function whose completion takes an optional value and an optional error. Otherwise, it is
    /// like the form whose completion takes a result.
    ///
    /// If there is an error, the future fails with it, even if there is a value too; if there is neither, with
    /// ``FutureError/neitherValueNorError(origin:)``.
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (Value?, (any Error)?) -> Void)
            throws -> Void
    ) -> Future {
        let origin = FutureError.SourceLocation(file, line: line)
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

    // Disfavored: a Result is a value too.
    /// Returns a future of a function whose completion takes a value, and that cannot fail. Otherwise, it is like the
    /// form whose completion takes a result.
    ///
    ///     let position = Future.from { completion in sensor.readPosition(completion) }
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body: @escaping @Sendable @isolated(any) (@escaping @Sendable (Value) -> Void) throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable (value: Value) in complete(.success(value)) }
        }
    }
}

extension Future<Void> {
    /// Returns a future of a function whose completion takes an optional error. Otherwise, it is like the form whose
    /// completion takes a result.
    ///
    /// If there is no error, the future succeeds.
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
    /// Returns a future of `body`, which is called with what `callback` makes of the future's own completion.
    @usableFromInline
    static func called<Argument>(
        _ body: @escaping @Sendable @isolated(any) (Argument) throws -> Void, _ origin: FutureError.SourceLocation,
        _ callback: @escaping @Sendable (@escaping Completion) -> Argument
    ) -> Future {
        let isolation = body.isolation
        let node = Node.operation(
            on: .inferred(from: isolation),
            { (completion: @escaping Completion) in
                try Callback(.isolated(body)).call(callback(completion))
                return NilDisposer()
            }, origin)
        node.start(in: isolation)
        return Future(node: node)
    }
}

extension Result {
    /// The result with its error as `any Error`.
    // Where `Failure` is that already, `mapError { $0 }` would put the error into one more box: after thousands of
    // passes, a cast of it would overflow the stack.
    var withAnyError: Result<Success, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure: self as? Result<Success, any Error> ?? mapError { $0 }
        }
    }
}
