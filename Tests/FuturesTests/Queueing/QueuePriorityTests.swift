// Priorities of operations that wait in a queue. Contract/Queues.md

import Futures
import Testing

@Suite struct QueuePriorityTests {
    @Test func `operations of high priority start before others, operations of low priority after them`() {
        let queue = FutureQueue()
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue.on(.immediate).enqueue { gate.future }
        for number in 1...2 {
            for priority in [QueuePriority.low, .normal, .high] {
                queue.on(.immediate).enqueue(with: .priority(priority)) {
                    log.add("\(priority) \(number)")
                    return Future(1)
                }
            }
        }
        gate.succeed(1)
        #expect(log.entries == ["high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2"])
    }

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

    @Test func `a cancelled operation of high priority is removed`() {
        let queue = FutureQueue()
        let (gate, log) = (Promise<Int>(), Log<String>())
        queue.on(.immediate).enqueue { gate.future }
        let futures = [QueuePriority.high, .high, .low, .low].enumerated().map { number, priority in
            queue.on(.immediate).enqueue(with: .priority(priority)) {
                log.add("\(number)")
                return Future(1)
            }
        }
        futures[1].cancel()
        futures[2].cancel()
        gate.succeed(1)
        #expect(log.entries == ["0", "3"])
        #expect(queue.isEmpty)
    }

    @Test func `each lower priority gets at least every eighth start, also beside both others`() {
        let (queue, log) = (FutureQueue(), Log<QueuePriority>())
        queue.isPaused = true
        for _ in 0..<200 {
            for priority in [QueuePriority.high, .normal, .low] {
                queue.on(.immediate).run(with: .priority(priority)) { log.add(priority) }
            }
        }
        queue.isPaused = false
        let starts = log.entries.prefix(200)
        for priority in [QueuePriority.normal, .low] {
            let turns = starts.indices.filter { starts[$0] == priority }
            #expect(zip([-1] + turns, turns + [200]).allSatisfy { $1 - $0 <= 8 }, "\(priority): \(turns)")
        }
    }

    @Test func `operations that leave while they wait leave no claim to a turn to later ones`() {
        let ends: [@Sendable (FutureQueue<Void>, Future<Void>) -> Void] = [
            { $1.cancel() }, { queue, _ in queue.cancelAll() },
        ]
        for end in ends {
            for priority in [QueuePriority.normal, .low] {
                let (queue, log) = (FutureQueue(), Log<String>())
                let gates = (0..<3).map { _ in Promise<Void>() }
                queue.on(.immediate).enqueue { gates[0].future }
                let impatient = queue.on(.immediate).run(with: .priority(priority)) {}
                for _ in 0..<6 { queue.on(.immediate).run(with: .priority(.high)) {} }
                queue.on(.immediate).enqueue(with: .priority(.high)) { gates[1].future }
                gates[0].succeed()
                end(queue, impatient)
                gates[1].succeed()
                #expect(queue.isEmpty)
                queue.on(.immediate).enqueue { gates[2].future }
                queue.on(.immediate).run(with: .priority(.high)) { log.add("high") }
                queue.on(.immediate).run(with: .priority(priority)) { log.add("lower") }
                gates[2].succeed()
                #expect(log.entries == ["high", "lower"])
            }
        }
    }

    @Test func `an operation does not inherit the claim of one before it that leaves`() {
        for priority in [QueuePriority.normal, .low] {
            let (queue, log) = (FutureQueue(), Log<String>())
            let gates = (0..<2).map { _ in Promise<Void>() }
            queue.on(.immediate).enqueue { gates[0].future }
            let impatient = queue.on(.immediate).run(with: .priority(priority)) {}
            for _ in 0..<6 { queue.on(.immediate).run(with: .priority(.high)) {} }
            queue.on(.immediate).enqueue(with: .priority(.high)) { gates[1].future }
            gates[0].succeed()
            queue.on(.immediate).run(with: .priority(priority)) { log.add("lower") }
            queue.on(.immediate).run(with: .priority(.high)) { log.add("high") }
            impatient.cancel()
            gates[1].succeed()
            #expect(log.entries == ["high", "lower"])
        }
    }
}
