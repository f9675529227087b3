// onValue, onError, retry, timeout: operators of futures for each run of a Deferred.

extension Deferred {
    /// Returns a deferred that calls `callback` with the value of each run before the run completes.
    @_alwaysEmitIntoClient
    public func onValue(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (Value) -> Void
    ) -> Deferred {
        then { $0.onValue(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred that calls `callback` with the error of each run that fails before the run completes. It is
    /// not called when a run is cancelled.
    @_alwaysEmitIntoClient
    public func onError(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (any Error) -> Void
    ) -> Deferred {
        then { $0.onError(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred whose runs are repeated each time they fail, as long as `policy` allows. Its closures are
    /// called, and its delays end, on `scheduler`.
    @_alwaysEmitIntoClient
    public func retry(_ policy: RetryPolicy, on scheduler: Scheduler? = nil) -> Deferred {
        then { $0.retry(policy, on: scheduler ?? $1) }
    }

    /// Returns a deferred whose runs are cancelled, and fail with ``FutureError/timedOut(after:origin:)``, if they have
    /// not completed within `duration`, by the clock of `scheduler`.
    @_alwaysEmitIntoClient
    public func timeout(
        after duration: Duration, on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred {
        then { $0.timeout(after: duration, on: scheduler ?? $1, file: file, line: line) }
    }
}
