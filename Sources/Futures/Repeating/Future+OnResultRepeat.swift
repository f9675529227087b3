// onResultRepeat: runs a future again, however it ended.

extension Future {
    /// A future that runs this one again each time it completes, without end or at most `maxRepetitions` times.
    ///
    /// Each repetition runs the whole chain afresh, `delayBetweenRepetitions` after the result. When there are no
    /// more, the last result is passed on. Cancelling it cancels the run, the delay or the predicate in progress.
    ///
    /// - Precondition: `maxRepetitions` is not negative.
    @inlinable
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future {
        repeating(
            Repetition(on: .current, .results, maxRepetitions, file: file, line: line) { _, _ in .again(after: delay) })
    }

    /// A future that runs this one again each time it completes and `predicate` returns true for the result.
    ///
    /// A predicate that throws passes on the result at hand, not its own error.
    @inlinable
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onResultRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onResultRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Bool
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .results, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result) ? .again(after: delay) : .stop
            })
    }

    /// A future that runs this one again each time it completes and the future that `predicate` returns is true.
    ///
    /// A predicate that throws or fails passes on the result at hand, not its own error.
    @inlinable
    public func onResultRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onResultRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onResultRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .results, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result), after: delay)
            })
    }
}
