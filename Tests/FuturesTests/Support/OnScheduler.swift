// Operators whose closures run where a test chooses, such as in place: clients choose by the code that attaches them.

import Futures

extension Future {
    func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Bool = { !$0.isFinal }
    ) -> Future { repeating(.when(on: scheduler, .errors, maxRepetitions, delay) { try predicate($0.failure) }) }

    @_disfavoredOverload
    func onErrorRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (any Error) throws -> Future<Bool>
    ) -> Future { repeating(.ask(on: scheduler, .errors, maxRepetitions, delay) { try predicate($0.failure) }) }

    func onValueRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Bool = { _ in true }
    ) -> Future { repeating(.when(on: scheduler, .values, maxRepetitions, delay) { try predicate($0.get()) }) }

    @_disfavoredOverload
    func onValueRepeat(
        on scheduler: Scheduler, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Future<Bool>
    ) -> Future { repeating(.ask(on: scheduler, .values, maxRepetitions, nil) { try predicate($0.get()) }) }

    func onResultRepeat(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Result<Value, any Error>) throws -> Bool = { !$0.isFinal }
    ) -> Future { repeating(.when(on: scheduler, .results, maxRepetitions, delay, predicate)) }

    func repeatAndCollect(
        on scheduler: Scheduler, delayBetweenRepetitions delay: Duration? = nil, maxRepetitions: Int? = nil,
        when predicate: @escaping @Sendable (Value) throws -> Bool = { _ in true }
    ) -> Future<[Value]> {
        collecting(.when(on: scheduler, .values, maxRepetitions, delay) { try predicate($0.get()) })
    }
}

extension Future {
    func delay(until deadline: ContinuousClock.Instant, on scheduler: Scheduler) -> Future {
        scheduler.perform { delay(until: deadline) }
    }

    func timeout(
        at deadline: ContinuousClock.Instant, on scheduler: Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Future { scheduler.perform { timeout(at: deadline, file: file, line: line) } }

    func timeout(
        on scheduler: Scheduler, after duration: Duration, orElse other: @escaping @Sendable () throws -> Future
    ) -> Future { scheduler.perform { timeout(after: duration, orElse: other) } }

    func faultPoint(_ name: String, on scheduler: Scheduler) -> Future { scheduler.perform { faultPoint(name) } }

    func fail(with error: any Error, after duration: Duration, on scheduler: Scheduler) -> Future {
        scheduler.perform { fail(with: error, after: duration) }
    }

    func succeed(with value: Value, after duration: Duration, on scheduler: Scheduler) -> Future {
        scheduler.perform { succeed(with: value, after: duration) }
    }
}

extension TurnsOnScheduler {
    @discardableResult
    func enqueueBatch<Resource, T>(
        maxConcurrentCount: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID,
        line: UInt = #line, _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally cleanup: (@Sendable (Resource, Result<T, any Error>) throws -> Future<Void>)? = nil
    ) -> Future<T> where Giver == FutureQueue<Resource> {
        giver.enqueueBatch(
            on: scheduler, LineLimits(maxConcurrentCount, file: file, line: line),
            options, .init(file, line: line), operation, finally: cleanup.map { cleanupStep(on: scheduler, $0) })
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
        Repetition(on: scheduler, wanted, maximum) { result, _ in
            .again(after: delay, if: try predicate(result).recover(on: .immediate) { _ in false })
        }
    }
}
