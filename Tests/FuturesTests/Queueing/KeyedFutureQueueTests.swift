// Keyed queues: one queue for each key. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct KeyedFutureQueueTests {
    @Test func `operations with the same key run serially, those with different keys concurrently`() {
        let queue = KeyedFutureQueue<String>()
        let (log, gates) = (Log<String>(), [Promise<Int>(), Promise<Int>()])
        for (number, key) in ["a", "a", "b", "b", "a"].enumerated() {
            queue[key].on(.immediate).enqueue {
                log.add("\(key)\(number)")
                return number == 0 ? gates[0].future : number == 2 ? gates[1].future : Future(number)
            }
        }
        #expect(log.entries == ["a0", "b2"])
        #expect(queue.keyCount == 2)
        #expect(queue.runningCount == 2)
        #expect(queue.waitingCount == 3)
        gates[1].succeed(1)
        #expect(log.entries == ["a0", "b2", "b3"])
        gates[0].succeed(1)
        #expect(log.entries == ["a0", "b2", "b3", "a1", "a4"])
        #expect(queue.isEmpty)
    }

    @Test func `nothing is stored for a key without waiting or running operations`() {
        let queue = KeyedFutureQueue<Int>()
        let gate = Promise<Int>()
        for key in 0..<100 {
            queue[key].on(.immediate).enqueue { Future(key) }
            #expect(queue.keyCount == 0)
        }
        let futures = (0..<100).map { key in
            queue[key].on(.immediate).enqueue { gate.future.map(on: .immediate) { $0 } }
        }
        #expect(queue.keyCount == 100)
        for future in futures.prefix(30) { future.cancel() }
        #expect(queue.keyCount == 70)
        queue[99].cancelAll()
        #expect(queue.keyCount == 69)
        gate.succeed(1)
        #expect(queue.keyCount == 0)
        queue.close()
        queue[1].on(.immediate).enqueue { Future(1) }
        #expect(queue.keyCount == 0)
    }

    @Test func `keys take turns when the concurrency limit is reached`() {
        let queue = KeyedFutureQueue<String>(maxConcurrentCount: 1)
        let (log, gate) = (Log<String>(), Promise<Int>())
        queue["gate"].on(.immediate).enqueue { gate.future }
        for (number, key) in ["a", "a", "a", "b", "b", "c"].enumerated() {
            queue[key].on(.immediate).enqueue {
                log.add("\(key)\(number)")
                return Future(1)
            }
        }
        gate.succeed(1)
        #expect(log.entries == ["a0", "b3", "c5", "a1", "b4", "a2"])
    }

    @Test(arguments: [1, 2, 3]) func `at most maxConcurrentCountPerKey operations of a key run concurrently`(
        _ limit: Int
    ) {
        let queue = KeyedFutureQueue<Bool>(maxConcurrentCount: 5, maxConcurrentCountPerKey: limit)
        let gates = (0..<8).map { _ in Promise<Int>() }
        let begun = Log<Int>()
        for (number, gate) in gates.enumerated() {
            queue[number.isMultiple(of: 2)].on(.immediate).enqueue {
                begun.add(number)
                return gate.future
            }
        }
        #expect(begun.entries == Array(0..<min(2 * limit, 5)))
        gates[1].succeed(1)
        #expect(begun.entries == Array(0..<min(2 * limit, 5)) + [limit == 1 ? 3 : limit == 2 ? 5 : 5])
        for gate in gates { gate.succeed(1) }
        #expect(begun.count == 8)
        #expect(queue.isEmpty)
    }

    @Test func `a repeated operation enqueues again for its key, even if the key was idle meanwhile`() {
        let queue = KeyedFutureQueue<Int>()
        let (log, gate, runs) = (Log<String>(), Promise<Int>(), Shared(0))
        let failed = queue[1].on(.immediate).enqueue { () -> Future<Int> in
            log.add("run \(runs.increment())")
            return runs.value < 2 ? Future(error: Oops()) : Future(runs.value)
        }
        #expect(queue.keyCount == 0)
        queue[1].on(.immediate).enqueue { gate.future }
        let repeated = failed.onErrorRepeat(on: .immediate) { _ in true }
        queue[1].on(.immediate).enqueue {
            log.add("other")
            return Future(1)
        }
        #expect(log.entries == ["run 1"])
        gate.succeed(1)
        #expect(log.entries == ["run 1", "run 2", "other"])
        #expect(repeated.success == 2)
    }

    @Test func `aborting a key does not affect the others`() {
        let queue = KeyedFutureQueue<Int>()
        let gate = Promise<Int>()
        func enqueue(_ key: Int) -> Future<Int> {
            queue[key].on(.immediate).enqueue { gate.future.map(on: .immediate) { $0 } }
        }
        let mine = [enqueue(1), enqueue(1)]
        let other = [enqueue(2), enqueue(2)]
        queue[1].cancelAll(with: Oops(1))
        #expect(mine.map { $0.error as? Oops } == [Oops(1), Oops(1)])
        #expect(other.allSatisfy { !$0.isCompleted })
        queue.close(with: Oops(2))
        queue.cancelAll(with: Oops(2))
        #expect(other.map { $0.error as? Oops } == [Oops(2), Oops(2)])
        #expect(enqueue(3).error as? Oops == Oops(2))
        #expect(queue.isEmpty)
        #expect(queue.keyCount == 0)
    }

    @Test func `an operation that waits for one behind it of its own key fails, and the error names both`() {
        let queue = KeyedFutureQueue<Int>()
        let outer = queue[1].on(.immediate).enqueue(file: "outer", line: 1) {
            queue[1].on(.immediate).enqueue(file: "inner", line: 2) { Future(2) }
        }
        expectDeadlocks { queue.isEmpty }
        #expect(
            outer.error as? QueueError == .deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2)))
        let gate = Promise<Int>()
        let later = queue[1].on(.immediate).enqueue {
            gate.future.flatMap(on: .immediate) { _ in
                queue[2].on(.immediate).enqueue { Future(2) }.flatMap(on: .immediate) { _ in
                    queue[1].on(.immediate).enqueue { Future(2) }
                }
            }
        }
        gate.succeed(1)
        expectDeadlocks { queue.isEmpty }
        #expect(later.error is QueueError)
        #expect(queue.isEmpty)
    }

    @Test func `no lock is held while a key is released, and the queue is deallocated with its last operation`() {
        final class Key: Hashable, Sendable {
            let number: Int
            let object: Census.Counted

            init(_ number: Int, _ object: Census.Counted) {
                self.number = number
                self.object = object
            }
            static func == (a: Key, b: Key) -> Bool { a.number == b.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let census = Census()
        let gates = [Promise<Int>(), Promise<Int>()]
        let counts = Log<Int>()
        do {
            let queue = KeyedFutureQueue<Key>()
            // The first operation's key serves for both, and is released with the second operation.
            for gate in gates {
                let object = census.make { [weak queue] in counts.add(queue?.keyCount ?? -1) }
                queue[Key(1, object)].on(.immediate).enqueue { gate.future }
            }
            gates[0].succeed(1)
            #expect(census.alive == 1)
            gates[1].succeed(1)
            #expect(census.alive == 0)
            #expect(counts.entries == [1, 0])
        }
        let waiting = Promise<Int>()
        do {
            let queue = KeyedFutureQueue<Key>()
            queue[Key(1, census.make())].on(.immediate).enqueue { waiting.future }
            queue[Key(1, census.make())].on(.immediate).enqueue { Future(1) }
        }
        #expect(census.alive == 1)
        waiting.succeed(1)
        #expect(census.alive == 0)
    }
}
