// Memory of combinations: they release the results of their futures.

import Futures
import FuturesTesting
import Testing

@Suite struct CombinationMemoryTests {
    typealias Value = Census.Counted

    enum Combination: CaseIterable {
        case join, joinPack, joinKeyed, settle, settlePack, selectEither, selectBetween, first, oneOf
        case abort, hedged, retry, timeout, timeoutOrElse, performWhile, shieldedFromCancellation

        /// Returns a combination of this kind that contains `future`.
        func of(_ future: Future<Value>, on scheduler: Scheduler) -> Future<Void> {
            func end<T>(_ future: Future<T>) -> Future<Void> { future.map(on: .immediate) { _ in } }
            switch self {
            case .join: return end(Futures.join([future, .init(Census().make())]))
            case .joinPack: return end(Futures.join(future, Future(1)))
            case .joinKeyed: return end(Futures.join(["a": future]))
            case .settle: return end(Future.settle([future]))
            case .settlePack: return end(Future.settle(future, Future<Int>(error: Oops())))
            case .selectEither: return end(select(future, or: Future<Int>.never))
            case .selectBetween: return end(select(between: [future, .never]))
            case .first: return end(Future.first(1, of: [future, .never]))
            case .oneOf: return end(Future.firstSuccess(of: [future, .never]))
            case .abort: return end(future.abort(forFutures: [Future<Void>.never]))
            case .hedged: return end(future.hedged(after: .seconds(1), on: scheduler))
            case .retry: return end(future.retry(RetryPolicy(.constant(.zero), timeLimit: .seconds(9)), on: scheduler))
            case .timeout: return end(future.timeout(after: .seconds(1), on: scheduler))
            case .timeoutOrElse: return end(future.timeout(on: scheduler, after: .seconds(1)) { .never })
            case .performWhile:
                return end(future.performWhile(on: scheduler, delayBy: .seconds(1)) { NilDisposer() })
            case .shieldedFromCancellation: return end(future.shieldedFromCancellation())
            }
        }
    }

    @Test(arguments: Combination.allCases)
    func `the results of a combination's futures are released with it`(_ combination: Combination) {
        let census = Census()
        let time = VirtualTime()
        let gate = Promise<Void>()
        var last: Future<Void>? = combination.of(gate.future.map(on: .immediate) { census.make() }, on: time.scheduler)
        gate.succeed()
        time.run()
        #expect(last?.success != nil)
        last = nil
        #expect(census.alive == 0)
    }
}
