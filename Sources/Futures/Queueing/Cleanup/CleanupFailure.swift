// CleanupFailure: where the error of a cleanup is reported.

internal import CFutures

/// Where the error of a cleanup is reported.
///
/// A handler is user code, and so is the description of an error. A cleanup may complete in the middle of an abort,
/// before other operations have been failed: so both are called by jobs that count as callbacks.
struct CleanupFailure: Sendable {
    typealias Handler = @Sendable (any Error) -> Void

    let line: Line
    /// Of a pool: the resource, which is closed after a failed cleanup.
    var lent: PooledResource?

    /// The handler that is set now.
    var handler: Handler? { line.cleanupHandler }

    private func spoil() {
        if let lent { line.state.withLock { _ in lent.isSpoilt = true } }
    }

    /// Calls the handler with the error; without one, prints the error, unless a future reports it. `release` gives
    /// back the turn, after the handler. To be called by a job, at its end.
    func report(
        _ error: any Error, to handler: Handler?, isTold: Bool, release: @escaping @Sendable () -> Void
    ) {
        if let handler {
            ThreadState.here.serveNext(
                JobList(
                    ClosureJob(.callback) {
                        handler(error)
                        spoil()
                        release()
                    }))
        } else {
            if !isTold { Self.say(error) }
            spoil()
            release()
        }
    }

    /// Has the error written to the standard error stream: it must not be lost silently. To be called by a job, at its
    /// end.
    private static func say(_ error: any Error) {
        let print = ClosureJob(.callback) {
            cfutures_write_error(
                "Futures: the cleanup of an operation failed, and no future reports it. The resource may be in use or "
                    + "unclean; set onCleanupFailure to be told. The error is: \(error)\n")
        }
        ThreadState.here.serveNext(JobList(print))
    }
}

extension Line {
    var cleanupHandler: (@Sendable (any Error) -> Void)? { state.withLock { $0.cleanupHandler } }

    func setCleanupHandler(_ handler: @escaping @Sendable (any Error) -> Void) {
        // The old one is released without the lock.
        let old = state.withLock { state in
            defer { state.cleanupHandler = handler }
            return state.cleanupHandler
        }
        withExtendedLifetime(old) {}
    }
}
