// awaitResult: calls a function with a completion as if it returned its result.

/// Calls a function that takes a completion, blocks the thread until that is called, and returns the value or throws
/// the error.
///
///     let zone = try awaitResult { finished in
///         api.zoneExists(named: name) { finished($0) }
///     }
///
/// The completion may be called from any thread; every call after the first is ignored, and so is one after the
/// timeout. On the main thread this runs the work of the main queue while it waits, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - identifier: The name of the call in ``AwaitError/timedOut(identifier:)``; by default, its file and line.
///   - timeout: How long to wait, at most; nil for no limit.
///   - file: The file in errors.
///   - line: The line in errors.
///   - execution: Called before this blocks, with the completion.
/// - Throws: The error that the completion is called with; ``AwaitError/timedOut(identifier:)`` if `timeout` passes
///   first; ``FutureError/abandoned(origin:)`` if the completion is released without being called; any error that
///   `execution` throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
public func awaitResult<Value: Sendable, Failure: Error>(
    identifier: String? = nil, timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable (Result<Value, Failure>) -> Void) throws -> Void
) throws -> Value {
    let future = try future(of: execution, file, line)
    do {
        return try future.wait(timeout: timeout, file: file, line: line)
    } catch {
        // The error of the function; or its result, if that came after the timeout and before this line.
        if let result = future.result { return try result.get() }
        throw AwaitError.timedOut(identifier: identifier ?? "\(file):\(line)")
    }
}

/// A function of its own: when it returns, only the completion refers to the promise.
private func future<Value: Sendable, Failure: Error>(
    of execution: (@escaping @Sendable (Result<Value, Failure>) -> Void) throws -> Void,
    _ file: StaticString, _ line: UInt
) throws -> Future<Value> {
    let promise = Promise<Value>(file: file, line: line)
    try execution { promise.complete($0.withAnyError) }
    return promise.future
}

/// An error of `awaitResult`.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AwaitError: Error, Equatable, CustomStringConvertible {
    /// The completion was not called in time. `identifier` names the call.
    case timedOut(identifier: String)

    /// A message that names the call.
    public var description: String {
        switch self {
        case .timedOut(let identifier):
            "\(identifier) did not call its completion in time."
        }
    }
}

extension AwaitError: TimeoutTelling {
    package var hasTimedOut: Bool { true }
}
