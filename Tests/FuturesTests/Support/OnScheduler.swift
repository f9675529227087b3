// Operators whose closures run where a test chooses, such as in place: clients choose by the code that attaches them.

@testable import Futures

extension Future {
    func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Bool
    ) -> Future {
        repeating(.when(on: scheduler, .errors, maxRepetitions, delay) { try predicate($0.failure) })
    }

    @_disfavoredOverload
    func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Future<Bool>
    ) -> Future {
        repeating(.ask(on: scheduler, .errors, maxRepetitions, delay) { try predicate($0.failure) })
    }

    func onValueRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Bool
    ) -> Future {
        repeating(.when(on: scheduler, .values, maxRepetitions, delay) { try predicate($0.get()) })
    }

    @_disfavoredOverload
    func onValueRepeat(
        on scheduler: Scheduler, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Future<Bool>
    ) -> Future {
        repeating(.ask(on: scheduler, .values, maxRepetitions, nil) { try predicate($0.get()) })
    }

    func onResultRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Bool
    ) -> Future {
        repeating(.when(on: scheduler, .results, maxRepetitions, delay, predicate))
    }

    @_disfavoredOverload
    func onResultRepeat(
        on scheduler: Scheduler, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Future {
        repeating(.ask(on: scheduler, .results, maxRepetitions, nil, predicate))
    }

    func repeatAndCollect(
        on scheduler: Scheduler, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Bool
    ) -> Future<[Value]> {
        collecting(.when(on: scheduler, .values, maxRepetitions, nil) { try predicate($0.get()) })
    }

    @_disfavoredOverload
    func repeatAndCollect(
        on scheduler: Scheduler, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Future<Bool>
    ) -> Future<[Value]> {
        collecting(.ask(on: scheduler, .values, maxRepetitions, nil) { try predicate($0.get()) })
    }
}

extension Future {
    func delay(
        on scheduler: Scheduler, by delay: @escaping @Sendable (Result<Value, any Error>) throws -> Duration?
    ) -> Future {
        step(on: scheduler, .results) { result in .delayed(result, by: try delay(result), on: scheduler) }
    }

    func timeout(
        on scheduler: Scheduler, after duration: Duration, orElse other: @escaping @Sendable () throws -> Future
    ) -> Future {
        limited(.after(duration), on: scheduler, orElse: other)
    }

    func timeout(
        on scheduler: Scheduler, at deadline: ContinuousClock.Instant,
        orElse other: @escaping @Sendable () throws -> Future
    ) -> Future {
        limited(.at(deadline), on: scheduler, orElse: other)
    }
}

extension Repetition {
    fileprivate static func when(
        on scheduler: Scheduler, _ wanted: Traits, _ maximum: Int?, _ delay: Duration?,
        _ predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Bool
    ) -> Repetition {
        Repetition(on: scheduler, wanted, maximum) { result, _ in try predicate(result) ? .again(after: delay) : .stop }
    }

    fileprivate static func ask(
        on scheduler: Scheduler, _ wanted: Traits, _ maximum: Int?, _ delay: Duration?,
        _ predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Future<Bool>
    ) -> Repetition {
        Repetition(on: scheduler, wanted, maximum) { result, _ in .ask(try predicate(result), after: delay) }
    }
}
