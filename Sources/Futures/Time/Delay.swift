// delay: passes a result on after a time.

extension Future {
    /// Returns a future with the same result, value or error, which completes `delay` after this one.
    ///
    /// Cancelling the returned future stops the timer.
    ///
    /// - Parameter delay: The time to wait, by the clock of the current scheduler. If it is nil, zero or negative, the
    ///   result is passed on immediately, without a hop.
    @_alwaysEmitIntoClient
    public func delay(by delay: Duration?) -> Future { self.delay(by: delay, on: .current) }

    /// ``delay(by:)`` by the clock of `scheduler`.
    @inlinable
    package func delay(by delay: Duration?, on scheduler: Scheduler) -> Future {
        step(on: .inPlace, .results) { result in .delayed(result, by: delay, on: scheduler) }
    }

    /// Returns a future with the same result, value or error, which does not complete before `deadline`.
    ///
    /// Cancelling the returned future stops the timer.
    ///
    /// - Parameter deadline: An instant on the clock of the current scheduler; see ``Scheduler/now``. A result that comes
    ///   later is passed on immediately, without a hop.
    @_alwaysEmitIntoClient
    public func delay(until deadline: ContinuousClock.Instant) -> Future {
        let scheduler = Scheduler.current
        return step(on: .inPlace, .results) { result in
            .delayed(result, by: scheduler.time(until: deadline), on: scheduler)
        }
    }
}

extension Next {
    /// Passes the result on when `delay` has passed.
    @inlinable
    static func delayed(_ result: Result<Value, any Error>, by delay: Duration?, on scheduler: Scheduler) -> Next {
        guard let delay, delay > .zero else { return .result(result) }
        return .future(
            Future(
                starting: .operation(on: scheduler.forLimits, .later) { node in
                    scheduler.forLimits.async(after: delay) { node.settleFromOutside(result) }
                }))
    }
}
