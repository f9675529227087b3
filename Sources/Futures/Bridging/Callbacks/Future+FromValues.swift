// from(callback:): futures of functions whose completion takes no error, two values, or that take two completions.

extension Future {
    // Disfavored: a Result is a value too.
    /// Returns a future of a function whose completion takes a value, and that cannot fail.
    ///
    ///     let position = Future.from { completion in sensor.readPosition(completion) }
    ///
    /// Cancelling the future completes it, and does not stop the function. If the function can be stopped, use
    /// ``Future/init(file:line:operation:)``. A repetition calls `body` again.
    ///
    /// - Parameters:
    ///   - file: The file in the error of an abandoned future.
    ///   - line: The line in the error of an abandoned future.
    ///   - body: Called before this returns, unless it belongs to an actor that has to be reached first. It calls its
    ///     completion with the value, now or later, from any thread; later calls are ignored. If it throws, the future
    ///     fails with that error; if the completion is released without being called, with
    ///     ``FutureError/abandoned(origin:)``.
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

    /// Returns a future of a function whose completion takes two optional values and an optional error, as a
    /// `URLSession`'s does.
    ///
    /// If there is an error, the future fails with it, even if there are values too; if there is no error, and a value
    /// is missing, with ``FutureError/neitherValueNorError(origin:)``. Cancelling the future completes it, and does not
    /// stop the function. If the function can be stopped, use ``Future/init(file:line:operation:)``. A repetition calls
    /// `body` again.
    ///
    /// - Parameters:
    ///   - file: The file in the error of an abandoned future, or of a completion without values and error.
    ///   - line: The line in the error of an abandoned future, or of a completion without values and error.
    ///   - body: Called before this returns, unless it belongs to an actor that has to be reached first. It calls its
    ///     completion, now or later, from any thread; later calls are ignored. If it throws, the future fails with that
    ///     error; if the completion is released without being called, with ``FutureError/abandoned(origin:)``.
    @_alwaysEmitIntoClient
    public static func from<First, Second>(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (@escaping @Sendable (First?, Second?, (any Error)?) -> Void)
            throws -> Void
    ) -> Future where Value == (First, Second) {
        let origin = FutureError.SourceLocation(file, line: line)
        return called(body, origin) { complete in
            { @Sendable (first: First?, second: Second?, error: (any Error)?) in
                if let error { return complete(.failure(error)) }
                guard let first, let second else {
                    return complete(.failure(FutureError.neitherValueNorError(origin: origin)))
                }
                complete(.success((first, second)))
            }
        }
    }

    /// Returns a future of a function that takes a completion for its value and another one for its error.
    ///
    ///     let page = Future.from { success, failure in
    ///         loader.load(url, onSuccess: success, onFailure: failure)
    ///     }
    ///
    /// Cancelling the future completes it, and does not stop the function. If the function can be stopped, use
    /// ``Future/init(file:line:operation:)``. A repetition calls `body` again.
    ///
    /// - Parameters:
    ///   - file: The file in the error of an abandoned future.
    ///   - line: The line in the error of an abandoned future.
    ///   - body: Called before this returns, unless it belongs to an actor that has to be reached first. It calls one of
    ///     its completions, now or later, from any thread; later calls are ignored. If it throws, the future fails with
    ///     that error; if both completions are released without being called, with ``FutureError/abandoned(origin:)``.
    @_alwaysEmitIntoClient
    public static func from<Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body:
            @escaping @Sendable @isolated(any) (
                _ success: @escaping @Sendable (Value) -> Void, _ failure: @escaping @Sendable (Failure) -> Void
            ) throws -> Void
    ) -> Future {
        let isolation = body.isolation
        let (scheduler, body) = isolated(body)
        let node = Node.operation(
            on: scheduler,
            { (completion: @escaping Completion) in
                try body({ completion(.success($0)) }, { completion(.failure($0)) })
                return NilDisposer()
            }, FutureError.SourceLocation(file, line: line))
        node.start(in: isolation)
        return Future(node: node)
    }
}

extension Future<Void> {
    /// Returns a future of a function whose completion takes nothing.
    ///
    /// Cancelling the future completes it, and does not stop the function. If the function can be stopped, use
    /// ``Future/init(file:line:operation:)``. A repetition calls `body` again.
    ///
    /// - Parameters:
    ///   - file: The file in the error of an abandoned future.
    ///   - line: The line in the error of an abandoned future.
    ///   - body: Called before this returns, unless it belongs to an actor that has to be reached first. It calls its
    ///     completion, now or later, from any thread; later calls are ignored. If it throws, the future fails with that
    ///     error; if the completion is released without being called, with ``FutureError/abandoned(origin:)``.
    @_alwaysEmitIntoClient
    public static func from(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        callback body: @escaping @Sendable @isolated(any) (@escaping @Sendable () -> Void) throws -> Void
    ) -> Future {
        called(body, .init(file, line: line)) { complete in
            { @Sendable () in complete(.success(())) }
        }
    }
}
