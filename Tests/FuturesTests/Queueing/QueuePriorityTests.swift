// Priorities of operations that wait in a queue. Contract/Queues.md

import Futures
import Testing

@Suite struct QueuePriorityTests {
    @Test func `operations of low priority get at least every eighth start`() {
        let queue = FutureQueue()
        let (gate, log) = (Promise<Int>(), Log<QueuePriority>())
        queue.on(.immediate).enqueue { gate.future }
        for priority in [QueuePriority.low, .normal] {
            for _ in 0..<3 {
                queue.on(.immediate).enqueue(with: .priority(priority)) {
                    log.add(priority)
                    return Future(1)
                }
            }
        }
        // Each urgent operation enqueues the next one.
        @Sendable func urgent(_ left: Int) {
            queue.on(.immediate).enqueue(with: .priority(.high)) {
                log.add(.high)
                if left > 1 { urgent(left - 1) }
                return Future(1)
            }
        }
        urgent(50)
        gate.succeed(1)
        for priority in [QueuePriority.low, .normal] {
            let turns = log.entries.indices.filter { log.entries[$0] == priority }
            #expect(turns.count == 3)
            #expect(zip([-1] + turns, turns).allSatisfy { $1 - $0 <= 8 }, "\(priority): \(turns)")
        }
        #expect(log.count == 56)
    }
}
