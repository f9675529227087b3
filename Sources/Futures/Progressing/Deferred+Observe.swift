// onValue, onError, retry, timeout: operators of futures for each run of a Deferred.

extension Deferred {
    /// Returns a deferred that calls `callback` with the value of each run before the run completes.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called; by default, on the scheduler of the start.
    ///   - callback: Called with the value.
    /// - Returns: A deferred whose runs have the same results.
    @_alwaysEmitIntoClient
    public func onValue(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (Value) -> Void
    ) -> Deferred {
        then { $0.onValue(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred that calls `callback` with the error of each run that fails before the run completes.
    ///
    /// It is not called when a run is cancelled.
    ///
    /// - Parameters:
    ///   - scheduler: Where `callback` is called; by default, on the scheduler of the start.
    ///   - callback: Called with the error.
    /// - Returns: A deferred whose runs have the same results.
    @_alwaysEmitIntoClient
    public func onError(
        on scheduler: Scheduler? = nil, _ callback: @escaping @Sendable (any Error) -> Void
    ) -> Deferred {
        then { $0.onError(on: scheduler ?? $1, callback) }
    }

    /// Returns a deferred whose runs are repeated each time they fail, as long as `policy` allows.
    ///
    /// - Parameters:
    ///   - policy: Which errors lead to a repetition, how many, and after which delays.
    ///   - scheduler: Where delays end; by default, on the scheduler of the start.
    /// - Returns: A deferred whose runs have the result of their last repetition.
    @_alwaysEmitIntoClient
    public func retry(_ policy: RetryPolicy, on scheduler: Scheduler? = nil) -> Deferred {
        then { $0.retry(policy, on: scheduler ?? $1) }
    }

    /// Returns a deferred whose runs are cancelled, and fail, if they have not completed in time.
    ///
    /// - Parameters:
    ///   - duration: The time from the start of a run.
    ///   - scheduler: The scheduler whose clock measures the time; by default, that of the start.
    ///   - file: The file in the error.
    ///   - line: The line in the error.
    /// - Returns: A deferred whose runs fail with ``FutureError/timedOut(after:origin:)`` if they take longer.
    @_alwaysEmitIntoClient
    public func timeout(
        after duration: Duration, on scheduler: Scheduler? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Deferred {
        then { $0.timeout(after: duration, on: scheduler ?? $1, file: file, line: line) }
    }
}
