// onErrorRepeat: runs a future again when it fails.

extension Future {
    /// A future that runs this one again each time it fails, without end or at most `maxRepetitions` times.
    ///
    /// Each repetition runs the whole chain afresh, `delayBetweenRepetitions` after the failure. When there are no
    /// more, the last error is passed on. Cancelling it cancels the run, the delay or the predicate in progress.
    ///
    /// - Precondition: `maxRepetitions` is not negative.
    @inlinable
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future {
        repeating(
            Repetition(on: .current, .errors, maxRepetitions, file: file, line: line) { _, _ in .again(after: delay) })
    }

    /// A future that runs this one again each time it fails and `predicate` returns true for the error.
    ///
    /// A predicate that throws passes on the error at hand, not its own.
    @inlinable
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onErrorRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (any Error) throws -> Bool
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .errors, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result.failure) ? .again(after: delay) : .stop
            })
    }

    /// A future that runs this one again each time it fails and the future that `predicate` returns is true.
    ///
    /// A predicate that throws or fails passes on the error at hand, not its own.
    @inlinable
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onErrorRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (any Error) throws -> Future<Bool>
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .errors, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result.failure), after: delay)
            })
    }
}
