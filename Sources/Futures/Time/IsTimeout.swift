// isTimeout: whether an error means that a time limit has passed.

extension Error {
    /// Whether the error means that a time limit has passed, or `wait(timeout:)` has given up.
    ///
    ///     page(at: url).flatMapError { error in error.isTimeout ? cached : Future(error: error) }
    ///
    /// Such errors are ``FutureError/timedOut(after:origin:)``, ``QueueError/waitTimedOut(after:)``,
    /// ``QueueError/runTimedOut(after:)`` and ``AwaitError/timedOut(identifier:)``, and with `FuturesFoundation` those
    /// of the time limits of `HTTPClient` and `Command`, and `URLError.timedOut`.
    public var isTimeout: Bool {
        switch self as any Error {
        case FutureError.timedOut, QueueError.waitTimedOut, QueueError.runTimedOut: true
        default: (self as? any TimeoutTelling)?.hasTimedOut ?? false
        }
    }
}

/// An error of a higher layer or another product of this package, which may mean that a time limit has passed.
package protocol TimeoutTelling: Error {
    var hasTimedOut: Bool { get }
}
