// Nested combinations of any depth.

import Futures
import FuturesTesting
import Testing

extension ScaleTests {
    @Suite(.serialized) struct CombinationScaleTests {
        enum Combination: CaseIterable {
            case join, select, hedged, retry, timeout, performWhile, shieldedFromCancellation

            func of(_ future: Future<Int>, on scheduler: Scheduler) -> Future<Int> {
                switch self {
                case .join: return Futures.join(future, Future(1)).map(on: .immediate) { $0.0 }
                case .select: return Futures.select(between: [future, .never])
                case .hedged: return future.hedged(after: .seconds(1), on: scheduler)
                case .retry:
                    let policy = RetryPolicy(.constant(.zero), maxRepetitions: 0, timeLimit: .seconds(9))
                    return future.retry(policy, on: scheduler)
                case .timeout: return future.timeout(after: .seconds(1), on: scheduler)
                case .performWhile: return future.performWhile(on: .immediate) { NilDisposer() }
                case .shieldedFromCancellation: return future.shieldedFromCancellation()
                }
            }
        }

        @Test(arguments: Combination.allCases)
        func `100 000 nested combinations are completed, repeated, cancelled and released on a small stack`(
            _ combination: Combination
        ) throws {
            onSmallStack {
                let (time, runs, gates) = (VirtualTime(), Shared(0), Log<Promise<Int>>())
                let operation = Future<Void>().flatMap(on: .immediate) {
                    runs.increment()
                    let gate = Promise<Int>()
                    gates.add(gate)
                    return gate.future
                }
                time.scheduler.perform {
                    let nested = (0..<(isDebug ? 5000 : 100_000)).reduce(operation) { all, _ in
                        combination.of(all, on: time.scheduler)
                    }
                    let repeated = nested.onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
                    gates.entries[0].fail(Oops(1))
                    #expect(runs.value == 2)
                    gates.entries[1].fail(Oops(2))
                    #expect(runs.value == 3)
                    repeated.cancel()
                    #expect(repeated.isCancelled)
                    #expect(gates.entries[2].future.isCancelled == (combination != .shieldedFromCancellation))
                }
                #expect(time.pendingCount == 0)
            }
        }
    }
}
