// awaitResult: a function with a completion, called as if it returned its result.

/// Calls a function with a completion, blocks until that is called, and returns the value or throws the error.
///
///     let zone = try awaitResult { finished in
///         api.zoneExists(named: name) { finished($0) }
///     }
///
/// The first completion counts; a second or late one does nothing. A completion that is released without being called
/// throws ``FutureError/abandoned(origin:)``. On the main thread it goes on serving main work, as
/// ``Future/wait(timeout:file:line:)`` does.
///
/// - Parameters:
///   - timeout: how long to wait; by default, as long as it takes.
///   - identifier: what ``AwaitError/timedOut(identifier:)`` is to say; by default, the file and line of the call.
/// - Throws: the function's error; ``AwaitError/timedOut(identifier:)`` if `timeout` passes first; what `execution`
///   throws.
@available(*, noasync, message: "It would block a thread of the concurrency pool. Await Future.from(callback:).value.")
public func awaitResult<Value: Sendable, Failure: Error>(
    timeout: Duration? = nil, identifier: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    asyncExecutionBlock execution: (@escaping @Sendable (Result<Value, Failure>) -> Void) throws -> Void
) throws -> Value {
    let future = try begin(execution, FutureError.Origin(file, line: line))
    do {
        return try future.wait(timeout: timeout, file: file, line: line)
    } catch {
        // The function's own error; or what it came to after the time was over, but before anybody was told.
        if let result = future.result { return try result.get() }
        throw AwaitError.timedOut(identifier: identifier ?? "\(file):\(line)")
    }
}

/// Apart, so that nothing of the promise but the completion is left when one waits.
private func begin<Value: Sendable, Failure: Error>(
    _ execution: (@escaping @Sendable (Result<Value, Failure>) -> Void) throws -> Void, _ origin: FutureError.Origin
) throws -> Future<Value> {
    let promise = Promise<Value>(Token(.pending(origin)))
    try execution { promise.complete($0.mapError { $0 }) }
    return promise.future
}

/// Why ``awaitResult(timeout:identifier:file:line:asyncExecutionBlock:)`` has no result.
public enum AwaitError: Error, Equatable, CustomStringConvertible {
    /// The completion was not called in time; `identifier` tells which call it was.
    case timedOut(identifier: String)

    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .timedOut(let identifier):
            "\(identifier) did not call its completion in time."
        }
    }
}
