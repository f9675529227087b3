// onValueRepeat: runs a future again when it succeeds.

extension Future {
    /// A future that runs this one again each time it succeeds, without end or at most `maxRepetitions` times.
    ///
    /// Each repetition runs the whole chain afresh, `delayBetweenRepetitions` after the value. When there are no
    /// more, the last value is passed on; an error ends it. Cancelling it cancels the run, the delay or the predicate in
    /// progress.
    ///
    /// - Precondition: `maxRepetitions` is not negative.
    @inlinable
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Future {
        repeating(
            Repetition(on: .current, .values, maxRepetitions, file: file, line: line) { _, _ in .again(after: delay) })
    }

    /// A future that runs this one again each time it succeeds and `predicate` returns true for the value.
    ///
    /// A predicate that throws passes on the value at hand, not its own error.
    @inlinable
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onValueRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onValueRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Value) throws -> Bool
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                try predicate(result.get()) ? .again(after: delay) : .stop
            })
    }

    /// A future that runs this one again each time it succeeds and the future that `predicate` returns is true.
    ///
    /// A predicate that throws or fails passes on the value at hand, not its own error.
    @inlinable
    public func onValueRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (Value) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return onValueRepeat(
            on: scheduler, delayBetweenRepetitions: delay, maxRepetitions: maxRepetitions, file: file,
            line: line, when: predicate)
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onValueRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when predicate: @escaping @Sendable (Value) throws -> Future<Bool>
    ) -> Future {
        repeating(
            Repetition(on: scheduler, .values, maxRepetitions, file: file, line: line) { result, _ in
                .ask(try predicate(result.get()), after: delay)
            })
    }
}
