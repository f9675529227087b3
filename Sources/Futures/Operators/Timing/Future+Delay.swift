// delay: results that come later.

extension Future {
    /// A future with the same result, value or error, `delay` after it came; at once for nil, zero or a negative one.
    ///
    /// The time is `scheduler`'s, and the result comes on it if there is a delay. A cancel stops the timer.
    @inlinable
    public func delay(by delay: Duration?, on scheduler: Scheduler = .current) -> Future {
        step(on: .inPlace, .results) { result in .delayed(result, by: delay, on: scheduler) }
    }

    /// A future with the same result, once so much time has passed as `delay` returns for it.
    ///
    /// At once for nil, zero or a negative time; a throw is a failure. The time is that of the scheduler where the
    /// closure is called, and the result comes on it.
    @inlinable
    public func delay(
        @_inheritActorContext
        by delay: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Duration?
    ) -> Future {
        let (scheduler, delay) = place(delay)
        return self.delay(on: scheduler, by: delay)
    }

    /// The same, with `delay` called on `scheduler`, by whose time the result comes.
    @inlinable
    public func delay(
        on scheduler: Scheduler, by delay: @escaping @Sendable (Result<Value, any Error>) throws -> Duration?
    ) -> Future {
        step(on: scheduler, .results) { result in .delayed(result, by: try delay(result), on: scheduler) }
    }

    /// A future with the same result, but not before `deadline`; at once after that.
    ///
    /// The time is `scheduler`'s, see ``Scheduler/now``, and the result comes on it if it has to wait.
    @inlinable
    public func delay(until deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current) -> Future {
        step(on: .inPlace, .results) { result in
            .delayed(result, by: scheduler.time(until: deadline), on: scheduler)
        }
    }
}

extension Next {
    /// Pass on the result when `delay` has passed.
    @inlinable
    static func delayed(_ result: Result<Value, any Error>, by delay: Duration?, on scheduler: Scheduler) -> Next {
        guard let delay, delay > .zero else { return .result(result) }
        let node = Node.operation(on: .inPlace) { node in
            scheduler.async(after: delay) { node.complete(result) }
        }
        node.start()
        return .future(Future(node: node))
    }
}
