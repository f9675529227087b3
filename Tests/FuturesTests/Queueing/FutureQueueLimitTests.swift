// Limits of a queue: capacity and time limits. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueLimitTests {
    @Test func `enqueuing into a full queue fails`() {
        let queue = FutureQueue(maxWaitingCount: 2)
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let waiting = (0..<2).map { number in queue.on(.immediate).enqueue { Future(number) } }
        let refused = queue.on(.immediate).enqueue { Future(3) }
        #expect(refused.error as? QueueError == .full(maxWaitingCount: 2))
        waiting[0].cancel()
        let accepted = queue.on(.immediate).enqueue { Future(4) }
        gate.succeed(1)
        #expect(waiting[1].success == 1)
        #expect(accepted.success == 4)
    }

    @Test func `a queue with a maxWaitingCount of zero runs operations that can start immediately`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let gate = Promise<Int>()
        #expect(queue.on(.immediate).enqueue { Future(1) }.success == 1)
        queue.on(.immediate).enqueue { gate.future }
        #expect(queue.on(.immediate).enqueue { Future(1) }.error is QueueError)
    }

    @Test func `producers that wait for capacity are admitted one by one as capacity becomes available`() {
        let queue = FutureQueue(maxWaitingCount: 1)
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        queue.on(.immediate).enqueue { Future(1) }
        let log = Log<String>()
        let refused = Shared(0)
        let blocker = Promise<Int>()
        let producers = (0..<3).map { number in
            queue.capacityAvailable().flatMap(on: .immediate) { _ -> Future<Int> in
                log.add("producer \(number)")
                return queue.on(.immediate).enqueue { number == 0 ? blocker.future : Future(number) }
                    .onError(on: .immediate) { _ in refused.increment() }
            }
        }
        #expect(log.entries == [])
        gate.succeed(1)
        // The first operation runs now and the second one waits, so the queue has no capacity for the third one.
        #expect(log.entries == ["producer 0", "producer 1"])
        blocker.succeed(0)
        #expect(log.entries == ["producer 0", "producer 1", "producer 2"])
        #expect(producers.map(\.success) == [0, 1, 2])
        #expect(refused.value == 0)
    }

    @Test func `cancelling a wait for capacity does not affect the others`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let gate = Promise<Int>()
        queue.on(.immediate).enqueue { gate.future }
        let waiting = queue.on(.immediate).enqueue { Future(1) }
        #expect(waiting.error is QueueError)
        let small = FutureQueue(maxWaitingCount: 1)
        small.on(.immediate).enqueue { gate.future }
        small.on(.immediate).enqueue { Future(1) }
        let rooms = (0..<3).map { _ in small.capacityAvailable() }
        rooms[0].cancel()
        rooms[1].cancel()
        #expect(!rooms[2].isCompleted)
        gate.succeed(1)
        #expect(rooms[2].success != nil)
        #expect(small.capacityAvailable().success != nil)
    }
}

extension FutureQueueLimitTests {
    @Test func `an operation that waits too long fails and never starts`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let (gate, begun) = (Promise<Int>(), Shared(0))
        queue.on(.immediate).enqueue { gate.future }
        let hurried = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(5))) { Future(begun.increment()) }
        let errors = Log<QueueError?>()
        hurried.onError(on: .immediate) { errors.add($0 as? QueueError) }
        let next = queue.on(.immediate).enqueue { Future(3) }
        time.advance(by: .seconds(4))
        #expect(errors.entries == [])
        time.advance(by: .seconds(1))
        #expect(errors.entries == [.waitTimedOut(after: .seconds(5))])
        #expect(queue.waitingCount == 1)
        gate.succeed(1)
        #expect(next.success == 3)
        #expect(begun.value == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an operation that may not wait starts immediately, or fails at its scheduler's next turn`(most: Duration) {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let gate = Promise<Int>()
        let first = queue.on(.immediate).enqueue(with: .waitTimeout(most)) { gate.future }
        let second = queue.on(time.scheduler).enqueue(with: .waitTimeout(most)) { Future(2) }
        #expect(!first.isCompleted)
        time.run()
        #expect(second.error as? QueueError == .waitTimedOut(after: most))
        gate.succeed(1)
        #expect(first.success == 1)
        let third = queue.on(time.scheduler).enqueue(with: .runTimeout(most)) { Future<Int>.never }
        time.run()
        #expect(third.error as? QueueError == .runTimedOut(after: most))
        #expect(queue.isEmpty)
    }

    @Test func `an operation that starts in time stops its timer`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let (gate, mine) = (Promise<Int>(), Promise<Int>())
        queue.on(.immediate).enqueue { gate.future }
        let patient = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(5))) { mine.future }
        time.advance(by: .seconds(4))
        gate.succeed(1)
        time.advance(by: .seconds(100))
        #expect(!patient.isCompleted)
        #expect(time.pendingCount == 0)
        mine.succeed(2)
        #expect(patient.success == 2)
    }

    @Test func `an operation that runs too long fails, and the future that it returned is cancelled`() {
        let (time, queue) = (VirtualTime(), FutureQueue(resource: 1))
        let (inner, gate) = (Promise<Int>(), Promise<Int>())
        queue.on(.immediate).enqueue { _ in gate.future }
        let slow = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(5))) { _ in inner.future }
        slow.onError(on: .immediate) { _ in }
        let next = queue.on(.immediate).enqueue { _ in Future(3) }
        // The time limit starts with the operation.
        time.advance(by: .seconds(10))
        gate.succeed(1)
        time.advance(by: .seconds(4))
        #expect(!slow.isCompleted)
        time.advance(by: .seconds(1))
        #expect(slow.error as? QueueError == .runTimedOut(after: .seconds(5)))
        #expect(inner.future.isCancelled)
        #expect(next.success == 3)
        #expect(time.pendingCount == 0)
    }

    @Test func `a repeated operation has its full time again`() {
        let (time, queue, runs) = (VirtualTime(), FutureQueue(), Shared(0))
        let repeated = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1)).runTimeout(.seconds(5))) {
            runs.increment() < 3 ? Future<Int>.never : Future(runs.value)
        }.onErrorRepeat(on: .immediate) { $0 as? QueueError == .runTimedOut(after: .seconds(5)) }
        time.advance(by: .seconds(9))
        #expect(runs.value == 2)
        time.advance(by: .seconds(1))
        #expect(repeated.success == 3)
    }
}
