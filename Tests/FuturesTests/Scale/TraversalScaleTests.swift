// Many elements and many futures: constant memory, stack and time each.

import Dispatch
import Futures
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct TraversalScaleTests {
        @Test(arguments: [1, 10])
        func `a million elements are traversed in constant memory and stack`(maxConcurrentCount: Int) {
            let tally = Tally()
            let count = scaled(1_000_000)
            onSmallStack {
                let sum = Atomic<Int>(0)
                let growth = growth { _ in
                    let end = (0..<count).forEachToFuture(on: .immediate, maxConcurrentCount: maxConcurrentCount) {
                        number in
                        let token = tally.token()
                        return Future(number).map(on: .immediate) { number in
                            withExtendedLifetime(token) { number }
                        }
                    } onResult: { number, _ in
                        sum.add(number, ordering: .relaxed)
                    }
                    #expect(end.success != nil)
                }
                #expect(sum.load(ordering: .relaxed) == count * (count - 1) / 2)
                // The thread's own setup. A word for each element would be 8 MB.
                #expect(growth < 4 << 20)
            }
            #expect(tally.peak < 200)
            #expect(tally.count == 0)
        }

        /// The ways to combine many futures.
        enum Combination: CaseIterable {
            case keyed, settled, firsts, oneOf, unbounded, bounded

            func combine(_ futures: [Future<Int>]) -> Future<Void> {
                switch self {
                case .keyed:
                    let keyed = Dictionary(uniqueKeysWithValues: futures.enumerated().map { ($0, $1) })
                    return join(keyed).map(on: .immediate) { _ in }
                case .settled: return Future.settle(futures).map(on: .immediate) { _ in }
                case .firsts: return Future.first(futures.count, of: futures).map(on: .immediate) { _ in }
                case .oneOf:
                    let failing = futures.map { $0.map(on: .immediate) { _ -> Int in throw FutureError.noFutures } }
                    return Future.firstSuccess(of: failing).mapResult(on: .immediate) { _ in }
                case .unbounded:
                    return futures.mapToFuture(on: .immediate, maxConcurrentCount: .max) { $0 }.map(on: .immediate) {
                        _ in
                    }
                case .bounded:
                    return futures.mapToFuture(on: .immediate, maxConcurrentCount: 100) { $0 }.map(on: .immediate) {
                        _ in
                    }
                }
            }
        }

        @Test(arguments: Combination.allCases)
        func `100 000 futures are combined in constant time each, whether completed, pending or cancelled`(
            _ combination: Combination
        ) {
            let slowdown = slowdown(ofTenTimes: scaled(10_000)) { count in
                time {
                    let promises = (0..<count).map { _ in Promise<Int>() }
                    let pending = combination.combine(promises.map(\.future))
                    let cancelled = combination.combine(promises.map { $0.future.map(on: .immediate) { $0 } })
                    cancelled.cancel()
                    // In reverse order, so that no result can be passed on before the first one arrives.
                    for promise in promises.reversed() { promise.succeed(1) }
                    #expect(pending.success != nil)
                    #expect(combination.combine(promises.map(\.future)).success != nil)
                }
            }
            #expect(slowdown < flat)
        }

        @Test(arguments: Combination.allCases)
        func `100 000 futures are combined on a small stack`(_ combination: Combination) {
            let count = scaled(100_000)
            onSmallStack {
                let promises = (0..<count).map { _ in Promise<Int>() }
                let pending = combination.combine(promises.map(\.future))
                for promise in promises { promise.succeed(1) }
                #expect(pending.success != nil)
                #expect(combination.combine(promises.map(\.future)).success != nil)
            }
        }
    }
}
