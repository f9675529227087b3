// timeout, fail, succeed: time limits for results.

extension Future {
    /// Returns a future with the same result, which fails if there is none within `duration`.
    ///
    /// When the limit passes, the returned future fails with ``FutureError/timedOut(after:origin:)`` and this future is
    /// cancelled unless it has other listeners. If this future has completed already, its result is passed on, whatever
    /// the limit. Each repetition has the whole duration, by the clock of the current scheduler. If it is zero or
    /// negative, the limit passes immediately, but not within this call.
    @_alwaysEmitIntoClient
    public func timeout(after duration: Duration, file: StaticString = #fileID, line: UInt = #line) -> Future {
        timeout(after: duration, on: .current, file: file, line: line)
    }

    /// ``timeout(after:file:line:)`` by the clock of `scheduler`.
    @inlinable
    package func timeout(
        after duration: Duration, on scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        limited(after: duration, on: scheduler, .init(file, line: line))
    }

    /// Returns a future with the same result, which fails if there is none at `deadline`.
    ///
    /// All repetitions have the same deadline, an instant on the clock of the current scheduler: see ``Scheduler/now``.
    /// Otherwise it is a time limit: see ``timeout(after:file:line:)``.
    @_alwaysEmitIntoClient
    public func timeout(
        at deadline: ContinuousClock.Instant, file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        let scheduler = Scheduler.current
        let duration = scheduler.time(until: deadline)
        return limited(after: duration, until: deadline, on: scheduler, .init(file, line: line))
    }

    /// Returns a future with the same result, or with that of `other`'s future if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners, and then `other` is called. The
    /// time is measured by the clock of the scheduler that the closure runs on. Each repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - other: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public func timeout(
        after duration: Duration,
        @_inheritActorContext orElse other: @escaping @Sendable @isolated(any) () throws -> Future
    ) -> Future {
        let (scheduler, call) = (Scheduler.inferred(from: other.isolation), Beginning(.isolated(other)).call)
        return limited(
            after: duration, on: scheduler,
            replacing: { .future(Future<Void>().flatMap(on: scheduler) { try call() }) })
    }

    /// This future, or what `next` returns if the limit passes first.
    @usableFromInline
    func limited(
        after duration: Duration, on scheduler: Scheduler, replacing next: @escaping @Sendable () -> Next<Value>
    ) -> Future {
        limited(after: duration, on: scheduler) { node, _, _ in node.end(with: Expired()) }
            .step(on: .inPlace, .failures) { result in
                guard case .failure(let error) = result, error is Expired else { return .result(result) }
                return next()
            }
    }
}

extension Future {
    /// Returns a future with the same result, which fails with `error` if there is none within `duration`: see
    /// ``timeout(after:file:line:)``.
    @_alwaysEmitIntoClient
    public func fail(with error: any Error, after duration: Duration) -> Future {
        limited(after: duration, on: .current) { node, _, _ in node.end(with: error) }
    }

    /// Returns a future with the same result, which succeeds with `value` if there is none within `duration`: see
    /// ``timeout(after:file:line:)``.
    @_alwaysEmitIntoClient
    public func succeed(with value: Value, after duration: Duration) -> Future {
        limited(after: duration, on: .current, replacing: { .value(value) })
    }
}

/// The error of a time limit that is followed by another future. No user code sees it.
private struct Expired: Error {}
