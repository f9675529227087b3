// Priorities of keyed queues: within a key, not between keys. Contract/KeyedQueues.md

import Futures
import FuturesTesting
import Testing

@Suite struct KeyedPriorityTests {
    private let priorities = [QueuePriority.low, .normal, .high]

    @Test func `operations of high priority start before others of their key, operations of low priority after them`() {
        let queue = KeyedFutureQueue<String>()
        let (gates, log) = ([Promise<Int>(), Promise<Int>()], Log<String>())
        for (key, gate) in zip(["a", "b"], gates) { queue[key].on(.immediate).enqueue { gate.future } }
        for number in 1...2 {
            for priority in priorities {
                for key in ["a", "b"] {
                    queue[key].on(.immediate).enqueue(with: .priority(priority)) {
                        log.add("\(key) \(priority) \(number)")
                        return Future(1)
                    }
                }
            }
        }
        for gate in gates { gate.succeed(1) }
        let order = ["high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2"]
        #expect(log.entries == order.map { "a \($0)" } + order.map { "b \($0)" })
        #expect(queue.isEmpty && queue.keyCount == 0)
    }

    @Test func `operations of low priority get at least every eighth start of their key`() {
        let queue = KeyedFutureQueue<Int>()
        let (gate, log) = (Promise<Int>(), Log<QueuePriority>())
        queue[1].on(.immediate).enqueue { gate.future }
        for priority in [QueuePriority.low, .normal] {
            for _ in 0..<3 {
                queue[1].on(.immediate).enqueue(with: .priority(priority)) {
                    log.add(priority)
                    return Future(1)
                }
            }
        }
        // Each operation of high priority enqueues the next one.
        @Sendable func enqueueHigh(_ left: Int) {
            queue[1].on(.immediate).enqueue(with: .priority(.high)) {
                log.add(.high)
                if left > 1 { enqueueHigh(left - 1) }
                return Future(1)
            }
        }
        enqueueHigh(50)
        gate.succeed(1)
        for priority in [QueuePriority.low, .normal] {
            let starts = log.entries.indices.filter { log.entries[$0] == priority }
            #expect(starts.count == 3)
            #expect(zip([-1] + starts, starts).allSatisfy { $1 - $0 <= 9 }, "\(priority): \(starts)")
        }
        #expect(log.count == 56)
    }

    @Test func `keys take turns whatever the priorities of their operations`() {
        let queue = KeyedFutureQueue<String>(maxConcurrentCount: 1)
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue["gate"].on(.immediate).enqueue { gate.future }
        for (key, priority) in [
            ("a", QueuePriority.low), ("b", .high), ("b", .high), ("b", .high), ("a", .low), ("a", .normal),
        ] {
            queue[key].on(.immediate).enqueue(with: .priority(priority)) {
                log.add("\(key) \(priority)")
                return Future(1)
            }
        }
        gate.succeed(1)
        #expect(log.entries == ["a normal", "b high", "a low", "b high", "a low", "b high"])
    }

    private typealias Queue = KeyedFutureQueue<Int>

    /// The functions that enqueue an operation. The operation calls the closure.
    private static let kinds: [@Sendable (Queue, @escaping @Sendable () -> Void) -> Future<Void>] = [
        { queue, run in queue[1].enqueue(with: .priority(.high)) { Future(run()) } },
        { queue, run in queue[1].on(.immediate).enqueue(with: .priority(.high)) { Future(run()) } },
        { queue, run in
            queue[1].enqueue(with: .priority(.high)) {
                Future(run())
            } finally: { _, _ in
                Future()
            }
        },
        { queue, run in
            queue[1].on(.immediate).enqueue(with: .priority(.high)) {
                Future(run())
            } finally: { _, _ in
                Future()
            }
        },
        { queue, run in queue[1].run(with: .priority(.high)) { run() } },
        { queue, run in queue[1].on(.immediate).run(with: .priority(.high)) { run() } },
        { queue, run in queue[1].run(with: .priority(.high)) { run() } },
        { queue, run in queue[1].on(.background).run(with: .priority(.high)) { run() } },
        { queue, run in
            queue[1].run(with: .priority(.high)) {
                run()
            } finally: { _, _ in
            }
        },
        { queue, run in
            queue[1].on(.background).run(with: .priority(.high)) {
                run()
            } finally: { _, _ in
            }
        },
    ]

    @Test(arguments: kinds.indices)
    func `every kind of operation of a key takes a priority`(_ kind: Int) async throws {
        let queue = Queue()
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue[1].on(.immediate).enqueue { gate.future }
        let other = queue[1].on(.immediate).run { log.add("other") }
        let future = Self.kinds[kind](queue) { log.add("high") }
        gate.succeed(1)
        try await future.value
        try await other.value
        #expect(log.entries == ["high", "other"])
    }

    @Test func `a repeated operation of a key keeps its priority`() {
        let queue = KeyedFutureQueue<Int>()
        let (gates, log, runs) = ([Promise<Int>(), Promise<Int>()], Log<String>(), Shared(0))
        queue[1].on(.immediate).enqueue { gates[0].future }
        let repeated = queue[1].on(.immediate).enqueue(with: .priority(.high)) { () -> Future<Int> in
            log.add("run \(runs.increment())")
            if runs.value > 1 { return Future(runs.value) }
            queue[1].on(.immediate).enqueue(with: .priority(.high)) { gates[1].future }
            queue[1].on(.immediate).enqueue { Future(log.add("other")) }
            return Future(error: Oops())
        }.onErrorRepeat(on: .immediate) { _ in true }
        gates[0].succeed(1)
        #expect(log.entries == ["run 1"])
        gates[1].succeed(1)
        #expect(log.entries == ["run 1", "run 2", "other"])
        #expect(repeated.success == 2)
    }

    @Test func `a cancelled operation is removed from those of its key and priority`() {
        let queue = KeyedFutureQueue<Int>()
        let (gate, log) = (Promise<Int>(), Log<Int>())
        queue[1].on(.immediate).enqueue { gate.future }
        let futures = [QueuePriority.high, .high, .low, .low].enumerated().map { number, priority in
            queue[1].on(.immediate).enqueue(with: .priority(priority)) {
                log.add(number)
                return Future(1)
            }
        }
        futures[1].cancel()
        futures[2].cancel()
        #expect(queue.waitingCount == 2)
        gate.succeed(1)
        #expect(log.entries == [0, 3])
        #expect(queue.keyCount == 0)
    }

    @Test func `aborting a key fails its waiting operations of every priority`() {
        let queue = KeyedFutureQueue<Int>()
        queue[1].on(.immediate).enqueue { Future<Int>.never }
        let futures = priorities.map { queue[1].on(.immediate).enqueue(with: .priority($0)) { Future(1) } }
        let other = queue[2].on(.immediate).enqueue { Future<Int>.never }
        queue[1].cancelAll(with: Oops(3))
        #expect(futures.allSatisfy { ($0.error as? Oops)?.number == 3 })
        #expect(!other.isCompleted && queue.keyCount == 1 && queue.waitingCount == 0)
        other.cancel()
    }

    @Test(arguments: [QueuePriority.high, .normal, .low])
    func `an operation that waits for one of its key fails, whatever that one's priority`(_ priority: QueuePriority) {
        let queue = KeyedFutureQueue<Int>()
        let future = queue[1].on(.immediate).enqueue {
            queue[1].on(.immediate).enqueue(with: .priority(priority)) { Future(1) }
        }
        expectDeadlocks { queue.isEmpty }
        guard case .deadlock? = future.error as? QueueError else {
            Issue.record("\(future)")
            return
        }
        #expect(queue.isEmpty)
    }
}
