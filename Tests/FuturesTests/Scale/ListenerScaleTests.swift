// Many listeners, and many operations in a queue: constant time each.

import Dispatch
import Futures
import Synchronization
import Testing

extension ScaleTests {
    enum Order: CaseIterable {
        case forward, backward, random

        func arrange<T>(_ elements: [T]) -> [T] {
            var random = SplitMix(7)
            return switch self {
            case .forward: elements
            case .backward: elements.reversed()
            case .random: elements.shuffled(using: &random)
            }
        }
    }
}

extension ScaleTests {
    @Suite(.serialized) struct ListenerScaleTests {
        @Test(arguments: ScaleTests.Order.allCases)
        func `20 000 listeners are cancelled in any order, in constant time each`(_ order: ScaleTests.Order) {
            let slowdown = slowdown(ofTenTimes: 2000) { count in
                let promise = Promise<Int>()
                let first = promise.future.map(on: .immediate) { $0 }
                let listeners = order.arrange(
                    (0..<count).map { _ in promise.future.map(on: .immediate) { $0 } })
                let duration = time { for listener in listeners { listener.cancel() } }
                #expect(!first.isCompleted)
                #expect(!promise.future.isCompleted)
                return duration
            }
            #expect(slowdown < flat)
        }

        @Test func `10 000 nested combinations that share a future take constant time each`() {
            let slowdown = slowdown(ofTenTimes: 1000) { count in
                let promise = Promise<Int>()
                let other = promise.future.map(on: .immediate) { $0 }
                return time {
                    var nested = Future(1)
                    for _ in 0..<count { nested = select(between: [promise.future, nested]) }
                    #expect(nested.success == 1 && !other.isCompleted)
                }
            }
            #expect(slowdown < flat)
        }
    }
}

extension ScaleTests {
    @Suite(.serialized) struct QueueScaleTests {
        private let count = scaled(100_000)

        @Test(arguments: [1, 4])
        func `100 000 operations that wait behind one use no stack and constant time each`(_ limit: Int) {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in
                time { runBehindOne(count, limit) }
            }
            #expect(slowdown < flat)
            let count = count
            onSmallStack { runBehindOne(count, limit) }
        }

        private func runBehindOne(_ count: Int, _ limit: Int) {
            let queue = FutureQueue(maxConcurrentCount: limit)
            let gate = Promise<Int>()
            let runs = Atomic<Int>(0)
            for _ in 0..<limit { queue.on(.immediate).enqueue { gate.future } }
            let futures = (0..<count).map { index in
                queue.on(.immediate).enqueue {
                    // First in, first out.
                    runs.compareExchange(expected: index, desired: index + 1, ordering: .relaxed).exchanged
                        ? Future(index) : Future(error: CancellationError())
                }
            }
            #expect(runs.load(ordering: .relaxed) == 0)
            gate.succeed(0)
            #expect(runs.load(ordering: .relaxed) == count)
            #expect(futures.allSatisfy { $0.isCompleted })
            #expect(queue.isEmpty)
        }

        @Test(arguments: ScaleTests.Order.allCases)
        func `100 000 waiting operations are cancelled in any order, in constant time each`(
            _ order: ScaleTests.Order
        ) {
            let slowdown = slowdown(ofTenTimes: count / 10) { count in
                let queue = FutureQueue()
                let gate = Promise<Int>()
                queue.on(.immediate).enqueue { gate.future }
                let runs = Atomic<Int>(0)
                let futures = order.arrange(
                    (0..<count).map { _ in
                        queue.on(.immediate).enqueue { Future(runs.add(1, ordering: .relaxed).newValue) }
                    })
                let duration = time { for future in futures { future.cancel() } }
                gate.succeed(0)
                #expect(runs.load(ordering: .relaxed) == 0)
                #expect(queue.isEmpty)
                return duration
            }
            #expect(slowdown < flat)
        }
    }
}
