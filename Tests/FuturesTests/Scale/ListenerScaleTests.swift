// Many listeners, operations, keys, waits and reports: constant time each.

import Futures
import FuturesDiagnostics
import FuturesTesting
import Testing

extension ScaleTests {
    @Suite(.serialized) struct ListenerScaleTests {
        @Test(arguments: ScaleTests.Order.allCases)
        func `20 000 listeners are cancelled in any order, in constant time each`(_ order: ScaleTests.Order) {
            let slowdown = slowdown(ofTenTimes: 2000) { count in
                let promise = Promise<Int>()
                let first = promise.future.map(on: .immediate) { $0 }
                let listeners = order.arrange((0..<count).map { _ in promise.future.map(on: .immediate) { $0 } })
                let duration = time { for listener in listeners { listener.cancel() } }
                #expect(!first.isCompleted)
                return duration
            }
            #expect(slowdown < flat)
        }

        @Test func `10 000 nested combinations that share a future take constant time each`() {
            expectConstantTime(1000) { count in
                let promise = Promise<Int>()
                let other = promise.future.map(on: .immediate) { $0 }
                var nested = Future(1)
                for _ in 0..<count { nested = select(between: [promise.future, nested]) }
                #expect(nested.success == 1)
                #expect(!other.isCompleted)
            }
        }

        @Test func `100 000 waiting operations are reported in constant time each, and many that run`() async {
            await #expect(processExitsWith: .success) {
                Diagnostics.limits = .none
                Diagnostics.isOn = true
                for running in [1, 100] {
                    let slowdown = slowdown(ofTenTimes: scaled(10_000)) { count in
                        let (queue, gate) = (FutureQueue(maxConcurrentCount: running), Promise<Int>())
                        for _ in 0..<(count + running) {
                            queue.on(.immediate).enqueue { gate.future }.onValue { _ in }
                        }
                        defer { gate.succeed(1) }
                        return time { _ = Diagnostics.report() }
                    }
                    #expect(slowdown < flat)
                }
            }
        }
    }

    @Suite(.serialized) struct QueueScaleTests {
        private let gate = Promise<Int>(), runs = AtomicCounter()

        /// Expects that `body` takes constant time for each operation, and little stack.
        private func expectScale(_ body: @escaping @Sendable (Int) -> Void) {
            onSmallStack { expectConstantTime(scaled(10_000), body) }
        }

        @Test(arguments: [1, 4])
        func `100 000 operations that wait behind one use no stack and constant time each`(_ limit: Int) {
            expectScale { count in
                let (queue, gate, runs) = (FutureQueue(maxConcurrentCount: limit), Promise<Int>(), AtomicCounter())
                for _ in 0..<limit { queue.on(.immediate).enqueue { gate.future } }
                for index in 0..<count { _ = queue.on(.immediate).run { precondition(runs.up() == index + 1) } }
                #expect(runs.value == 0)
                gate.succeed(0)
                #expect(runs.value == count)
            }
        }

        @Test(arguments: ScaleTests.Order.allCases)
        func `100 000 waiting operations are cancelled in any order, in constant time each`(_ order: ScaleTests.Order) {
            expectConstantTime { count in
                let (queue, gate, runs) = (FutureQueue(), Promise<Int>(), AtomicCounter())
                queue.on(.immediate).enqueue { gate.future }
                let futures = order.arrange((0..<count).map { _ in queue.on(.immediate).run { runs.up() } })
                for future in futures { future.cancel() }
                gate.succeed(0)
                #expect(queue.isEmpty)
                #expect(runs.value == 0)
            }
        }

        @Test func `100 000 operations of as many keys wait behind one, in constant time each`() {
            expectScale { count in
                let queue = KeyedFutureQueue<Int>(maxConcurrentCount: 1)
                let (gate, runs) = (Promise<Int>(), AtomicCounter())
                queue[-1].on(.immediate).enqueue { gate.future }
                for key in 0..<count { _ = queue[key].on(.immediate).run { runs.up() } }
                #expect(queue.keyCount == count + 1)
                gate.succeed(0)
                #expect(runs.value == count)
                #expect(queue.keyCount == 0)
            }
        }

        @Test func `a million keys are used, and retain no memory`() {
            let (queue, count) = (KeyedFutureQueue<Int>(), scaled(1_000_000))
            _ = queue[0].on(.immediate).run {}
            let growth = growth { _ in
                // In sequence, and all at the same time.
                for key in 0..<count { _ = queue[key].on(.immediate).run {} }
                for key in 0..<count / 4 { queue[key].on(.immediate).enqueue { [gate] in gate.future } }
                gate.succeed(1)
            }
            #expect(queue.keyCount == 0)
            #expect(growth < 4 << 20)
        }

        @Test func `100 000 operations are aborted in constant time each, on a small stack`() {
            expectScale { count in
                let (queue, heard) = (FutureQueue(maxConcurrentCount: max(1, count / 2)), AtomicCounter())
                for _ in 0..<count {
                    queue.on(.immediate).enqueue { Future<Int>.never }.onError(on: .immediate) { _ in heard.up() }
                }
                queue.cancelAll()
                #expect(heard.value == count)
            }
        }

        @Test func `100 000 waits for capacity or for an empty queue complete in constant time each`() {
            expectConstantTime { count in
                let (queue, gate, heard) = (FutureQueue(maxWaitingCount: 1), Promise<Int>(), AtomicCounter())
                for _ in 0..<2 { queue.on(.immediate).enqueue { gate.future } }
                for _ in 0..<count {
                    queue.capacityAvailable().onValue(on: .immediate) { heard.up() }
                    queue.drained().onValue(on: .immediate) { heard.up() }
                }
                gate.succeed(1)
                #expect(heard.value == 2 * count)
            }
        }
    }
}
