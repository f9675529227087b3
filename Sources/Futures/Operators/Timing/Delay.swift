// delay: passes a result on after a time.

extension Future {
    /// Returns a future with the same result, value or error, which completes `delay` after this one.
    ///
    /// Cancelling the returned future stops the timer.
    ///
    /// - Parameters:
    ///   - delay: The time to wait. If it is nil, zero or negative, the result is passed on immediately, without a hop.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func delay(by delay: Duration?, on scheduler: Scheduler = .current) -> Future {
        guard let delay, delay > .zero else { return step(on: .inPlace, .results) { result in .result(result) } }
        return step(on: scheduler.forLimits, [.results, .later]) { result in .delayed(result, by: delay, on: scheduler)
        }
    }

    /// Returns a future with the same result, delayed by the time that `delay` returns for it.
    ///
    /// The clock of the scheduler that the closure runs on measures the time. Cancelling the returned future stops the
    /// timer.
    ///
    /// - Parameter delay: Called with the value or error, on the closure's actor, or else on the current scheduler. If
    ///   it returns nil, zero or a negative duration, the result is passed on immediately. If it throws, the returned
    ///   future fails with that error.
    @_alwaysEmitIntoClient
    public func delay(
        @_inheritActorContext
        by delay: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Duration?
    ) -> Future {
        let (scheduler, delay) = isolated(delay)
        return step(on: scheduler, .results) { result in .delayed(result, by: try delay(result), on: scheduler) }
    }

    /// Returns a future with the same result, value or error, which does not complete before `deadline`.
    ///
    /// Cancelling the returned future stops the timer.
    ///
    /// - Parameters:
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A result that comes later is passed
    ///     on immediately, without a hop.
    ///   - scheduler: Its clock measures the time.
    @_alwaysEmitIntoClient
    public func delay(until deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current) -> Future {
        step(on: .inPlace, .results) { result in
            .delayed(result, by: scheduler.time(until: deadline), on: scheduler)
        }
    }
}

extension Next {
    /// Passes the result on when `delay` has passed.
    @inlinable
    static func delayed(_ result: Result<Value, any Error>, by delay: Duration?, on scheduler: Scheduler) -> Next {
        guard let delay, delay > .zero else { return .result(result) }
        let node = Node.operation(on: scheduler.forLimits, .later) { node in
            scheduler.limit(after: delay) { node.settleFromOutside(result) }
        }
        node.start()
        return .future(Future(node: node))
    }
}
