// Capacity: producers that wait until a queue accepts an operation.

import Futures
import Testing

@Suite struct FutureQueueCapacityTests {
    @Test func `where no operation may wait, there is capacity while one could start`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let keyed = KeyedFutureQueue<Int>(maxConcurrentCount: 1, maxWaitingCount: 0)
        #expect(queue.capacityAvailable().success != nil)
        #expect(keyed.capacityAvailable().success != nil)

        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        keyed[1].on(.immediate).enqueue { gate.future }
        let (room, keyedRoom) = (queue.capacityAvailable(), keyed.capacityAvailable())
        #expect(!room.isCompleted && !keyedRoom.isCompleted)
        let next = room.flatMap(on: .immediate) { queue.on(.immediate).enqueue { Future(2) } }
        let keyedNext = keyedRoom.flatMap(on: .immediate) { keyed[2].on(.immediate).enqueue { Future(3) } }
        gate.succeed(1)
        #expect(next.success == 2)
        #expect(keyedNext.success == 3)
    }
}
