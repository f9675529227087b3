// Keyed queues: one queue for each key. Contract/Queues.md

import Futures
import Testing

@Suite struct KeyedFutureQueueTests {
    private let gate = Promise<Int>(), log = Log<String>()

    /// Enqueues an operation for each key, which logs the key with its place in the list.
    private func add(
        _ keys: [String], in queue: KeyedFutureQueue<String>, priorities: [QueuePriority] = [],
        _ future: @escaping @Sendable (Int) -> Future<Int> = { Future($0) }
    ) {
        for (number, key) in keys.enumerated() {
            queue[key].on(.immediate).enqueue(with: .priority(priorities.isEmpty ? .normal : priorities[number])) {
                [log] in
                log.add("\(key)\(number)")
                return future(number)
            }
        }
    }

    @Test func `operations with the same key run serially, those with different keys concurrently`() {
        let (queue, other) = (KeyedFutureQueue<String>(), Promise<Int>())
        add(["a", "a", "b", "b", "a"], in: queue) { [gate] number in
            number == 0 ? gate.future : number == 2 ? other.future : Future(number)
        }
        #expect(log.entries == ["a0", "b2"])
        #expect([queue.keyCount, queue.runningCount, queue.waitingCount] == [2, 2, 3])
        other.succeed(1)
        #expect(log.entries == ["a0", "b2", "b3"])
        gate.succeed(1)
        #expect(log.entries == ["a0", "b2", "b3", "a1", "a4"])
        #expect(queue.isEmpty)
    }

    @Test func `turns of a key that were asked for while it was idle cancel the operations of the key`() {
        let queue = KeyedFutureQueue<String>()
        let (first, second) = (queue["a"], queue["a"])
        let future = first.on(.immediate).enqueue { .never as Future<Int> }
        second.cancelAll()
        #expect(future.isCancelled)
    }

    @Test func `a host that asks for a pause gets no requests meanwhile, and others do`() {
        let queue = KeyedFutureQueue<String>()
        queue["a"].isPaused = true
        add(["a", "b", "a"], in: queue)
        #expect(log.entries == ["b1"])
        #expect([queue["a"].isPaused, queue["b"].isPaused] == [true, false])
        queue["a"].isPaused = false
        #expect(log.entries == ["b1", "a0", "a2"])
        #expect(queue.keyCount == 0)
        // A key that is paused is stored, also without operations.
        for isPaused in [true, false] {
            queue["c"].isPaused = isPaused
            #expect(queue.keyCount == (isPaused ? 1 : 0))
        }
    }

    @Test func `operations of a key that is paused start when the queue is released`() {
        do {
            let queue = KeyedFutureQueue<String>()
            queue["a"].isPaused = true
            add(["a"], in: queue)
        }
        #expect(log.entries == ["a0"])
    }

    @Test func `keys take turns when the concurrency limit is reached`() {
        let queue = KeyedFutureQueue<String>(maxConcurrentCount: 1)
        queue["gate"].on(.immediate).enqueue { [gate] in gate.future }
        add(["a", "a", "a", "b", "b", "c"], in: queue)
        gate.succeed(1)
        #expect(log.entries == ["a0", "b3", "c5", "a1", "b4", "a2"])
    }

    @Test func `keys take turns whatever the priorities of their operations`() {
        let queue = KeyedFutureQueue<String>(maxConcurrentCount: 1)
        let priorities = [QueuePriority.low, .high, .high, .high, .low, .normal]
        queue["gate"].on(.immediate).enqueue { [gate] in gate.future }
        add(["a", "b", "b", "b", "a", "a"], in: queue, priorities: priorities)
        gate.succeed(1)
        #expect(log.entries == ["a5", "b1", "a0", "b2", "a4", "b3"])
    }

    @Test(arguments: [(1, 2), (2, 4), (3, 5)])
    func `at most maxConcurrentCountPerKey operations of a key run concurrently`(_ limit: Int, _ first: Int) {
        let queue = KeyedFutureQueue<String>(maxConcurrentCount: 5, maxConcurrentCountPerKey: limit)
        add(["a", "b", "a", "b", "a", "b", "a", "b"], in: queue) { [gate] _ in gate.future }
        #expect(log.count == first)
        gate.succeed(1)
        #expect(log.count == 8)
        #expect(queue.isEmpty)
    }

    @Test func `no lock is held while a key is released, and the queue is deallocated with its last operation`() {
        final class Key: Hashable, Sendable {
            let object: Census.Counted

            init(_ object: Census.Counted) { self.object = object }
            static func == (a: Key, b: Key) -> Bool { true }
            func hash(into hasher: inout Hasher) {}
        }
        let (census, counts, gates) = (Census(), Log<Int?>(), [Promise<Int>(), Promise<Int>()])
        do {
            let queue = KeyedFutureQueue<Key>()
            // The first operation's key serves for both, and is released with the second operation.
            for gate in gates {
                let object = census.make { [weak queue] in counts.add(queue?.keyCount) }
                queue[Key(object)].on(.immediate).enqueue { gate.future }
            }
            gates[0].succeed(1)
            #expect(counts.entries == [1])
        }
        #expect(census.alive == 1)
        gates[1].succeed(1)
        #expect(census.alive == 0)
    }
}

/// A key that equals no key, not even itself.
private struct UnequalKey: Hashable, Sendable {
    func hash(into hasher: inout Hasher) {}
    static func == (a: UnequalKey, b: UnequalKey) -> Bool { false }
}

extension KeyedFutureQueueTests {
    @Test func `an operation gives back its turn whatever its key returns for == and hash`() {
        let (queue, gate) = (KeyedFutureQueue<UnequalKey>(maxConcurrentCount: 2), Promise<Int>())
        let futures = (0..<4).map { _ in queue[UnequalKey()].on(.immediate).enqueue { gate.future } }
        #expect([queue.runningCount, queue.keyCount] == [2, 4])
        futures[2].cancel()
        gate.succeed(1)
        #expect(futures.map(\.isCancelled) == [false, false, true, false])
        #expect([queue.runningCount, queue.keyCount] == [0, 0])

        let cache = FutureCache<UnequalKey, Int>(maxCount: 2)
        for value in 0..<4 {
            #expect(cache.future(on: .immediate, for: UnequalKey()) { Future(value) }.success == value)
        }
        cache.removeValue(forKey: UnequalKey())
        #expect(cache.count == 2)
    }
}
