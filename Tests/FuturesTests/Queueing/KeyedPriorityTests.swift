// Priorities of keyed queues: within a key, not between keys.

import Futures
import FuturesTesting
import Testing

@Suite struct KeyedPriorityTests {
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
}
