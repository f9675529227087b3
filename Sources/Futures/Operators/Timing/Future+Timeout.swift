// timeout, fail, succeed: time limits for results.

extension Future {
    /// Returns a future with the same result, which fails if there is none within `duration`.
    ///
    /// When the limit passes, the returned future fails with ``FutureError/timedOut(after:origin:)`` and this future is
    /// cancelled unless it has other listeners. If this future has completed already, its result is passed on, whatever
    /// the limit. Each repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - scheduler: Its clock measures the time.
    ///   - file: The file in the error.
    ///   - line: The line in the error.
    @_alwaysEmitIntoClient
    public func timeout(
        after duration: Duration, on scheduler: Scheduler = .current, file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        limited(.after(duration), on: scheduler, .init(file, line: line)) {
            $0.giveUp(FutureError.timedOut(after: $1, origin: $2))
        }
    }

    /// Returns a future with the same result, which fails if there is none at `deadline`.
    ///
    /// When the deadline passes, the returned future fails with ``FutureError/timedOut(after:origin:)`` and this future
    /// is cancelled unless it has other listeners. If this future has completed already, its result is passed on,
    /// whatever the deadline. All repetitions have the same deadline.
    ///
    /// - Parameters:
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A past deadline passes at
    ///     once, but not within this call.
    ///   - scheduler: Its clock measures the time.
    ///   - file: The file in the error.
    ///   - line: The line in the error.
    @_alwaysEmitIntoClient
    public func timeout(
        at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future {
        limited(.at(deadline), on: scheduler, .init(file, line: line)) {
            $0.giveUp(FutureError.timedOut(after: $1, origin: $2))
        }
    }

    /// Returns a future with the same result, which fails with `error` if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners. If it has completed already, its
    /// result is passed on, whatever the limit. Each repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - error: The error with which the returned future fails when the limit passes.
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func fail(
        with error: any Error, after duration: Duration, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.after(duration), on: scheduler) { node, _, _ in node.giveUp(error) }
    }

    /// Returns a future with the same result, which fails with `error` if there is none at `deadline`.
    ///
    /// When the deadline passes, this future is cancelled unless it has other listeners. If it has completed already,
    /// its result is passed on, whatever the deadline. All repetitions have the same deadline.
    ///
    /// - Parameters:
    ///   - error: The error with which the returned future fails when the deadline passes.
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A past deadline passes at
    ///     once, but not within this call.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func fail(
        with error: any Error, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.at(deadline), on: scheduler) { node, _, _ in node.giveUp(error) }
    }

    /// Returns a future with the same result, which succeeds with `value` if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners. If it has completed already, its
    /// result is passed on, whatever the limit. Each repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - value: The value with which the returned future succeeds when the limit passes.
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func succeed(with value: Value, after duration: Duration, on scheduler: Scheduler = .current) -> Future {
        limited(.after(duration), on: scheduler) { node, _, _ in node.giveUp(succeedingWith: value) }
    }

    /// Returns a future with the same result, which succeeds with `value` if there is none at `deadline`.
    ///
    /// When the deadline passes, this future is cancelled unless it has other listeners. If it has completed already,
    /// its result is passed on, whatever the deadline. All repetitions have the same deadline.
    ///
    /// - Parameters:
    ///   - value: The value with which the returned future succeeds when the deadline passes.
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A past deadline passes at
    ///     once, but not within this call.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func succeed(
        with value: Value, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.at(deadline), on: scheduler) { node, _, _ in node.giveUp(succeedingWith: value) }
    }
}
