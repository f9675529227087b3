// Many elements and many futures: constant memory, stack and time each.

import Futures
import Testing

extension ScaleTests {
    @Suite(.serialized) struct TraversalScaleTests {
        @Test(arguments: [1, 10])
        func `a million elements are traversed in constant memory and stack`(maxConcurrentCount: Int) {
            let (census, count, sum) = (Census(), scaled(1_000_000), Shared(0))
            onSmallStack {
                let growth = growth { _ in
                    let end = (0..<count).forEachToFuture(on: .immediate, maxConcurrentCount: maxConcurrentCount) {
                        number in
                        let token = census.make()
                        return Future(number).map(on: .immediate) { number in
                            withExtendedLifetime(token) { number }
                        }
                    } onResult: { number, _ in
                        sum.change { $0 += number }
                    }
                    #expect(end.success != nil)
                }
                #expect(sum.value == count * (count - 1) / 2)
                // The thread's own setup. A word for each element would be 8 MB.
                #expect(growth < 4 << 20)
            }
            #expect(census.peak < 200)
            #expect(census.alive == 0)
        }

        enum Combination: CaseIterable {
            case keyed, settled, firsts, oneOf, unbounded, bounded

            func combine(_ futures: [Future<Int>]) -> Future<Void> {
                switch self {
                case .keyed:
                    let keyed = Dictionary(uniqueKeysWithValues: futures.enumerated().map { ($0, $1) })
                    return join(keyed).asVoid()
                case .settled: return Future.settle(futures).asVoid()
                case .firsts: return Future.first(futures.count, of: futures).asVoid()
                case .oneOf:
                    let failing = futures.map { $0.map(on: .immediate) { _ -> Int in throw FutureError.noFutures } }
                    return Future.firstSuccess(of: failing).mapResult(on: .immediate) { _ in }
                case .unbounded: return futures.mapToFuture(on: .immediate, maxConcurrentCount: .max) { $0 }.asVoid()
                case .bounded: return futures.mapToFuture(on: .immediate, maxConcurrentCount: 100) { $0 }.asVoid()
                }
            }
        }

        @Test(arguments: Combination.allCases)
        func `100 000 futures are combined in constant time each, completed, pending or cancelled`(_ way: Combination) {
            let combine: @Sendable (Int) -> Void = { count in
                let promises = (0..<count).map { _ in Promise<Int>() }
                let pending = way.combine(promises.map(\.future))
                way.combine(promises.map { $0.future.map(on: .immediate) { $0 } }).cancel()
                // In reverse order, so that no result can be passed on before the first one arrives.
                for promise in promises.reversed() { promise.succeed(1) }
                #expect(pending.success != nil)
                #expect(way.combine(promises.map(\.future)).success != nil)
            }
            onSmallStack { expectConstantTime(scaled(10_000), combine) }
        }
    }
}
