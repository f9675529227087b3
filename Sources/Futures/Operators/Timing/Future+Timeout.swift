// timeout, fail, succeed: results that must come in time.

extension Future {
    /// A future with the same result, or which fails with ``FutureError/timedOut(after:origin:)`` if that takes longer.
    ///
    /// Then this one is cancelled, if nobody else listens to it. The time is `scheduler`'s, and the failure comes on it;
    /// of a duration that is zero or negative, as soon as it gets there. A result that was there before counts. Each
    /// repetition has the whole time. The error names the file and line of this call.
    @inlinable
    public func timeout(
        after duration: Duration, on scheduler: Scheduler = .current, file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        limited(.after(duration), on: scheduler, .init(file, line: line)) {
            $0.complete(error: FutureError.timedOut(after: $1, origin: $2))
        }
    }

    /// A future with the same result, or which fails with ``FutureError/timedOut(after:origin:)`` at `deadline`.
    ///
    /// The same as with a duration, but all repetitions have this one deadline. It goes by ``Scheduler/now``. The error
    /// names the file and line of this call.
    @inlinable
    public func timeout(
        at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future {
        limited(.at(deadline), on: scheduler, .init(file, line: line)) {
            $0.complete(error: FutureError.timedOut(after: $1, origin: $2))
        }
    }

    /// A future with the same result, or which fails with `error` if that takes longer than `duration`; see
    /// ``timeout(after:on:file:line:)``.
    @inlinable
    public func fail(
        with error: any Error, after duration: Duration, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.after(duration), on: scheduler) { node, _, _ in node.complete(error: error) }
    }

    /// A future with the same result, or which fails with `error` at `deadline`; see ``timeout(at:on:file:line:)``.
    @inlinable
    public func fail(
        with error: any Error, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.at(deadline), on: scheduler) { node, _, _ in node.complete(error: error) }
    }

    /// A future with the same result, or which succeeds with `value` if that takes longer than `duration`; see
    /// ``timeout(after:on:file:line:)``.
    @inlinable
    public func succeed(with value: Value, after duration: Duration, on scheduler: Scheduler = .current) -> Future {
        limited(.after(duration), on: scheduler) { node, _, _ in node.complete(value) }
    }

    /// A future with the same result, or which succeeds with `value` at `deadline`; see ``timeout(at:on:file:line:)``.
    @inlinable
    public func succeed(
        with value: Value, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        limited(.at(deadline), on: scheduler) { node, _, _ in node.complete(value) }
    }
}
