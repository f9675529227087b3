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
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil
    ) -> Future {
        repeating(Repetition(on: .current, delay, maxRepetitions) { _ in .value(true) })
    }

    /// A future that runs this one again each time it fails and `predicate` returns true for the error.
    ///
    /// A predicate that throws passes on the error at hand, not its own.
    @inlinable
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Bool
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return repeating(Repetition(on: scheduler, delay, maxRepetitions) { .value(try predicate($0)) })
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Bool
    ) -> Future {
        repeating(Repetition(on: scheduler, delay, maxRepetitions) { .value(try predicate($0)) })
    }

    /// A future that runs this one again each time it fails and the future that `predicate` returns is true.
    ///
    /// A predicate that throws or fails passes on the error at hand, not its own.
    @inlinable
    public func onErrorRepeat(
        delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        @_inheritActorContext
        when predicate: @escaping @Sendable @isolated(any) (any Error) throws -> Future<Bool>
    ) -> Future {
        let (scheduler, predicate) = place(predicate)
        return repeating(Repetition(on: scheduler, delay, maxRepetitions) { .future(try predicate($0)) })
    }

    /// The same, with `predicate` called on `scheduler`.
    @inlinable
    public func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Future<Bool>
    ) -> Future {
        repeating(Repetition(on: scheduler, delay, maxRepetitions) { .future(try predicate($0)) })
    }
}

/// How often, when and after which delay to repeat.
@usableFromInline
struct Repetition: Sendable {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let delay: Duration?
    @usableFromInline let maximum: Int
    @usableFromInline let predicate: @Sendable (any Error) throws -> Next<Bool>

    @usableFromInline
    init(
        on scheduler: Scheduler, _ delay: Duration?, _ maximum: Int?,
        _ predicate: @escaping @Sendable (any Error) throws -> Next<Bool>
    ) {
        guard maximum ?? 0 >= 0 else {
            fatalError("maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.")
        }
        self.scheduler = scheduler
        self.delay = delay
        self.maximum = maximum ?? .max
        self.predicate = predicate
    }

    /// After how many repetitions without a pause other work on the scheduler gets its turn.
    @inlinable static var patience: Int { 64 }
}

extension Future {
    @inlinable
    func repeating(_ repetition: Repetition) -> Future {
        attempt(self, repetition, 0)
    }

    /// What the run in progress ends with, or else the next one. The recursion is space-safe as every flatMap's is,
    /// and a repetition of the whole begins to count at 0.
    @inlinable
    func attempt(_ run: Future, _ repetition: Repetition, _ count: Int) -> Future {
        run.step(on: repetition.scheduler, .errors) { result in
            guard case .failure(let error) = result, count < repetition.maximum else {
                return .result(result)
            }
            let again: Next<Bool>
            do { again = try repetition.predicate(error) } catch { return .result(result) }
            switch again {
            case .value(false), .error: return .result(result)
            case .value(true): return .future(next(repetition, count + 1))
            case .future(let again):
                return .future(
                    again.step(on: .immediate, .results) { answer in
                        guard case .success(true) = answer else { return .result(result) }
                        return .future(next(repetition, count + 1))
                    })
            }
        }
    }

    @inlinable
    func next(_ repetition: Repetition, _ count: Int) -> Future {
        if let delay = repetition.delay, delay > .zero {
            return Future<Void>().delay(by: delay, on: repetition.scheduler).step(on: .immediate, .values) {
                _ in
                .future(attempt(Future(node: node.rerun()), repetition, count))
            }
        }
        // Runs that complete at once would keep the scheduler for themselves (rule 18).
        if count.isMultiple(of: Repetition.patience), repetition.scheduler != .immediate {
            let pause = Promise<Void>()
            repetition.scheduler.async { pause.succeed() }
            return pause.future.step(on: .immediate, .values) { _ in
                .future(attempt(Future(node: node.rerun()), repetition, count))
            }
        }
        return attempt(Future(node: node.rerun()), repetition, count)
    }
}
