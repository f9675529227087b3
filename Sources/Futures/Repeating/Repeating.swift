// onErrorRepeat, onValueRepeat, onResultRepeat: repeat a future when it fails, when it succeeds, or in both cases.

extension Future {
    /// Returns a future that repeats this one each time it fails, without end or at most `maxRepetitions` times; the
    /// last result is passed on.
    ///
    /// Each repetition runs the whole chain again, from its operation through all its transforms. A value ends the
    /// repetition, and so do a `CancellationError` and `QueueError.closed`, as further runs would fail too. Cancelling
    /// the future cancels the run or the delay in progress. Without a delay, every 64th repetition goes to the end of
    /// the scheduler's queue, so that other work is not starved. Without a delay and without `maxRepetitions`, each
    /// repetition after the hundredth failure in a row waits for 100 ms.
    ///
    /// - Parameters:
    ///   - scheduler: Whose clock times the delay.
    ///   - delay: The time between a result and the next run. Without a delay, or with one that is not positive, the
    ///     next run starts immediately.
    ///   - maxRepetitions: The maximum number of repetitions after the first run; nil for no limit.
    ///   - file: The file named by the trap if `maxRepetitions` is negative.
    ///   - line: The line named by the trap if `maxRepetitions` is negative.
    /// - Precondition: `maxRepetitions` is not negative.
    @_alwaysEmitIntoClient
    public func onErrorRepeat(
        on scheduler: Scheduler = .current, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        repeating(Repetition(on: scheduler, .errors, maxRepetitions, after: delay, file: file, line: line))
    }

    /// Returns a future that repeats this one as long as it fails and `predicate` returns true for the error; the last
    /// result is passed on.
    ///
    /// The repetitions are those of ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``, but
    /// `predicate` decides about every error, also about a `CancellationError`.
    ///
    /// - Parameters:
    ///   - delay: The time between a result and the next run, by the clock of `predicate`'s scheduler.
    ///   - maxRepetitions: The maximum number of repetitions after the first run; nil for no limit.
    ///   - file: The file named by the trap if `maxRepetitions` is negative.
    ///   - line: The line named by the trap if `maxRepetitions` is negative.
    ///   - predicate: Called with the error of each run that fails while repetitions are left, on the closure's actor,
    ///     or else on the current scheduler. If it returns false or throws, the error of the run is passed on, and the
    ///     error of the predicate is discarded.
    @_alwaysEmitIntoClient
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .errors, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result.failure) ? .again(after: delay) : .stop
            })
    }

    /// The same for a predicate that returns a future, which may also fail: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .errors, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result.failure), after: delay)
            })
    }
}

extension Future {
    /// Returns a future that repeats this one until it fails, or at most `maxRepetitions` times: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient
    public func onValueRepeat(
        on scheduler: Scheduler = .current, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        repeating(Repetition(on: scheduler, .values, maxRepetitions, after: delay, file: file, line: line))
    }

    /// Returns a future that repeats this one as long as it succeeds and `predicate` returns true for the value: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result.get()) ? .again(after: delay) : .stop
            })
    }

    /// The same for a predicate that returns a future, which may also fail: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result.get()), after: delay)
            })
    }
}

extension Future {
    /// Returns a future that repeats this one after values and errors, without end or at most `maxRepetitions` times:
    /// see ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient
    public func onResultRepeat(
        on scheduler: Scheduler = .current, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future {
        repeating(Repetition(on: scheduler, .results, maxRepetitions, after: delay, file: file, line: line))
    }

    /// Returns a future that repeats this one as long as `predicate` returns true for the result: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .results, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result) ? .again(after: delay) : .stop
            })
    }

    /// The same for a predicate that returns a future, which may also fail: see
    /// ``onErrorRepeat(on:delayBetweenRepetitions:maxRepetitions:file:line:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext when predicate:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = isolated(predicate)
        return repeating(
            Repetition(on: scheduler, .results, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result), after: delay)
            })
    }
}
