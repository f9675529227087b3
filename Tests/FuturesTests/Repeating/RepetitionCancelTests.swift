// Cancels of a repetition while its predicate runs.

import Futures
import Testing

@Suite struct RepetitionCancelTests {
    /// What is repeated, in place.
    enum Operation: CaseIterable {
        case plain, mapped, enqueued, direct, keyed, permit

        func start(_ body: @escaping @Sendable () -> Int) -> Future<Int> {
            switch self {
            case .plain: Future(on: .immediate, immediate: body)
            case .mapped: FutureQueue().on(.immediate).enqueue { Future(body()) }.map(on: .immediate) { $0 }
            case .enqueued: FutureQueue().on(.immediate).enqueue { Future(body()) }
            case .direct: FutureQueue().on(.immediate).run(body)
            case .keyed: KeyedFutureQueue<Int>()[1].on(.immediate).enqueue { Future(body()) }
            case .permit: FutureSemaphore(count: 1).on(.immediate).enqueue { Future(body()) }
            }
        }
    }

    /// How it is repeated, as long as a predicate says so.
    enum Way: CaseIterable {
        case values, valuesByFuture, errors, retry, collected, collectedByFuture

        func start(
            _ run: Future<Int>, on scheduler: Scheduler, asking ask: @escaping @Sendable () -> Bool
        ) -> Future<Void> {
            switch self {
            case .values: run.onValueRepeat(on: scheduler) { _ in ask() }.asVoid()
            case .valuesByFuture: run.onValueRepeat(on: scheduler) { _ in Future(ask()) }.asVoid()
            case .errors: run.map(on: .immediate) { throw Oops($0) }.onErrorRepeat(on: scheduler) { _ in ask() }
            case .retry:
                run.map(on: .immediate) { throw Oops($0) }
                    .retry(RetryPolicy(.constant(.zero), when: { _ in ask() }), on: scheduler)
            case .collected: run.repeatAndCollect(on: scheduler) { _ in ask() }.asVoid()
            case .collectedByFuture: run.repeatAndCollect(on: scheduler) { _ in Future(ask()) }.asVoid()
            }
        }
    }

    @Test(arguments: Operation.allCases, Way.allCases)
    func `a predicate that cancels its own repetition is the last one`(operation: Operation, way: Way) {
        for scheduler in [Scheduler.immediate, Scheduler(label: "repetition")] {
            let (gate, own, ended) = (Promise<Void>(), Shared<Future<Void>?>(nil), Signal())
            let (runs, predicates) = (AtomicCounter(), AtomicCounter())
            let run = join(operation.start { runs.up() }, gate.future).map(on: .immediate) { $0.0 }
            own.value = way.start(run, on: scheduler) {
                if predicates.up() == 1 { #expect(own.value?.cancel() == true) }
                return predicates.value < 1000
            }
            .onCancel(on: .immediate) { ended.send() }
            gate.succeed()
            #expect(ended.comes())
            scheduler.sync {}
            scheduler.sync {}
            #expect((runs.value, predicates.value) == (1, 1))
            own.value = nil
        }
    }
}
