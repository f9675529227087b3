// onErrorRepeat, onValueRepeat, onResultRepeat: repeat a future when it fails, when it succeeds, or in both cases.

extension Future {
    /// Returns a future that repeats this one each time it fails, as long as `predicate` returns true for the error, at
    /// most `maxRepetitions` times; the last result is passed on.
    ///
    ///     page(at: url).onErrorRepeat()
    ///     page(at: url).onErrorRepeat(delayBetweenRepetitions: .seconds(1), maxRepetitions: 3) { $0 is Offline }
    ///
    /// Each repetition runs the whole chain again, from its operation through all its transforms. A value ends the
    /// repetition. Cancelling the future cancels the run or the delay in progress. Without a delay, every 64th repetition
    /// goes to the end of the scheduler's queue, so that other work is not starved. Without a delay and without
    /// `maxRepetitions`, each repetition of a failure after the hundredth repetition waits for 100 ms.
    ///
    /// - Parameters:
    ///   - delay: The time between a result and the next run, by the clock of `predicate`'s scheduler. Without a delay,
    ///     or with one that is not positive, the next run starts immediately.
    ///   - maxRepetitions: The maximum number of repetitions after the first run; nil for no limit.
    ///   - file: The file named by the trap if `maxRepetitions` is negative.
    ///   - line: The line named by the trap if `maxRepetitions` is negative.
    ///   - predicate: Called with the error of each run that fails while repetitions are left, on the closure's actor,
    ///     or else on the current scheduler. If it returns false or throws, the error of the run is passed on, and the
    ///     error of the predicate is discarded. Without a predicate, all errors lead to a repetition but
    ///     `CancellationError` and `QueueError.closed`, after which further runs would fail too.
    /// - Precondition: `maxRepetitions` is not negative.
    @_alwaysEmitIntoClient
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Bool = { !$0.isFinal }
    ) -> Future {
        let (scheduler, isRepeated) = (Scheduler.inferred(from: predicate.isolation), Body(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .errors, maxRepetitions, file: file, line: line) { result, _ in
                try isRepeated(result.failure) ? .again(after: delay) : .stop
            })
    }

    /// The same on `scheduler`.
    @inlinable
    package func onErrorRepeat(on scheduler: Scheduler, maxRepetitions: Int) -> Future {
        repeating(Repetition(on: scheduler, .errors, maxRepetitions) { result, _ in result.isFinal ? .stop : .again() })
    }

    /// Returns a future that repeats this one each time it fails, if the future of `predicate` succeeds with true: see
    /// ``onErrorRepeat(delayBetweenRepetitions:maxRepetitions:file:line:when:)``.
    ///
    ///     page(at: url).onErrorRepeat { _ in refreshToken().map { true } }
    ///
    /// The next run starts when that future has its value, which can be delayed. For a limited number of runs with an
    /// asynchronous step in between, use ``retry(_:onAttempt:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onErrorRepeat(
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, answer) = (Scheduler.inferred(from: predicate.isolation), Following(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .errors, nil) { result, _ in .again(ifTrue: try answer(result.failure)) })
    }

    /// Returns a future that repeats this one each time it succeeds, as long as `predicate` returns true for the value:
    /// see ``onErrorRepeat(delayBetweenRepetitions:maxRepetitions:file:line:when:)``.
    @_alwaysEmitIntoClient
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Bool = { _ in true }
    ) -> Future {
        let (scheduler, isRepeated) = (Scheduler.inferred(from: predicate.isolation), Body(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                try isRepeated(result.get()) ? .again(after: delay) : .stop
            })
    }

    /// Returns a future that repeats this one each time it succeeds, if the future of `predicate` succeeds with true: see
    /// ``onErrorRepeat(when:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onValueRepeat(
        @_inheritActorContext when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, answer) = (Scheduler.inferred(from: predicate.isolation), Following(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .values, nil) { result, _ in .again(ifTrue: try answer(result.get())) })
    }

    /// Returns a future that repeats this one after values and errors, as long as `predicate` returns true for the
    /// result: see ``onErrorRepeat(delayBetweenRepetitions:maxRepetitions:file:line:when:)``.
    @_alwaysEmitIntoClient
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Bool = { !$0.isFinal }
    ) -> Future {
        let (scheduler, isRepeated) = (Scheduler.inferred(from: predicate.isolation), Body(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .results, maxRepetitions, file: file, line: line) { result, _ in
                try isRepeated(result) ? .again(after: delay) : .stop
            })
    }

    /// Returns a future that repeats this one after values and errors, if the future of `predicate` succeeds with true:
    /// see ``onErrorRepeat(when:)``.
    @_alwaysEmitIntoClient @_disfavoredOverload
    public func onResultRepeat(
        @_inheritActorContext when predicate:
            @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, answer) = (Scheduler.inferred(from: predicate.isolation), Following(.isolated(predicate)).call)
        return repeating(
            Repetition(on: scheduler, .results, nil) { result, _ in .again(ifTrue: try answer(result)) })
    }
}
