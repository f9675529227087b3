// awaitResult for completions that take no Result: a value, an error, or both.

/// Calls a function whose completion takes an optional value and an optional error, blocks the thread until that is
/// called, and returns the value or throws the error.
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in the error of a timeout, or of an abandoned completion.
///   - line: The line in the error of a timeout, or of an abandoned completion.
///   - execution: Called before this blocks, with the completion.
/// - Throws: The error that the completion is called with, even beside a value;
///   ``FutureError/neitherValueNorError(origin:)`` if it is called with neither; ``AwaitError/timedOut(identifier:)``
///   if `timeout` passes first; ``FutureError/abandoned(origin:)`` if the completion is released without being called;
///   any error that `execution` throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
@_alwaysEmitIntoClient
public func awaitResult<Value: Sendable>(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable (Value?, (any Error)?) -> Void) throws -> Void
) throws -> Value {
    try awaitCompletion(identifier, timeout, file, line) { promise in
        try execution { value, error in
            if let error {
                promise.fail(error)
            } else if let value {
                promise.succeed(value)
            } else {
                promise.fail(FutureError.neitherValueNorError(origin: .init(file, line: line)))
            }
        }
    }
}

/// Calls a function whose completion takes a value and an optional error, blocks the thread until that is called, and
/// returns the value or throws the error.
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in the error of a timeout, or of an abandoned completion.
///   - line: The line in the error of a timeout, or of an abandoned completion.
///   - execution: Called before this blocks, with the completion.
/// - Throws: The error that the completion is called with, whatever the value is; ``AwaitError/timedOut(identifier:)``
///   if `timeout` passes first; ``FutureError/abandoned(origin:)`` if the completion is released without being called;
///   any error that `execution` throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
@_alwaysEmitIntoClient
public func awaitResult<Value: Sendable>(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable (Value, (any Error)?) -> Void) throws -> Void
) throws -> Value {
    try awaitCompletion(identifier, timeout, file, line) { promise in
        try execution { value, error in
            if let error { promise.fail(error) } else { promise.succeed(value) }
        }
    }
}

/// Calls a function whose completion takes an optional error, blocks the thread until that is called, and returns the
/// value or throws the error.
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in the error of a timeout, or of an abandoned completion.
///   - line: The line in the error of a timeout, or of an abandoned completion.
///   - execution: Called before this blocks, with the completion.
/// - Throws: The error that the completion is called with; ``AwaitError/timedOut(identifier:)`` if `timeout` passes
///   first; ``FutureError/abandoned(origin:)`` if the completion is released without being called; any error that
///   `execution` throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
@_alwaysEmitIntoClient
public func awaitResult(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable ((any Error)?) -> Void) throws -> Void
) throws {
    try awaitCompletion(identifier, timeout, file, line) { (promise: Promise<Void>) in
        try execution { error in
            if let error { promise.fail(error) } else { promise.succeed() }
        }
    }
}

// Disfavored: a Result is a value too.
/// Calls a function whose completion takes a value, blocks the thread until that is called, and returns the value or
/// throws the error.
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in the error of a timeout, or of an abandoned completion.
///   - line: The line in the error of a timeout, or of an abandoned completion.
///   - execution: Called before this blocks, with the completion.
/// - Throws: ``AwaitError/timedOut(identifier:)`` if `timeout` passes
///   first; ``FutureError/abandoned(origin:)`` if the completion is released without being called; any error that
///   `execution` throws.
@_disfavoredOverload
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
@_alwaysEmitIntoClient
public func awaitResult<Value: Sendable>(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable (Value) -> Void) throws -> Void
) throws -> Value {
    try awaitCompletion(identifier, timeout, file, line) { promise in
        try execution { promise.succeed($0) }
    }
}

/// Calls a function whose completion takes nothing, blocks the thread until that is called, and returns the value or
/// throws the error.
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in the error of a timeout, or of an abandoned completion.
///   - line: The line in the error of a timeout, or of an abandoned completion.
///   - execution: Called before this blocks, with the completion.
/// - Throws: ``AwaitError/timedOut(identifier:)`` if `timeout` passes
///   first; ``FutureError/abandoned(origin:)`` if the completion is released without being called; any error that
///   `execution` throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
@_alwaysEmitIntoClient
public func awaitResult(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable () -> Void) throws -> Void
) throws {
    try awaitCompletion(identifier, timeout, file, line) { (promise: Promise<Void>) in
        try execution { promise.succeed() }
    }
}
