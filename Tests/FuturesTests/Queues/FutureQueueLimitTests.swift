// Limits of a queue: capacity, what a full one does, and time limits. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueLimitTests {
    private let gate = Promise<Int>()

    @Test func `enqueuing into a full queue fails`() {
        let queue = FutureQueue(maxWaitingCount: 2)
        queue.on(.immediate).enqueue { [gate] in gate.future }
        let waiting = (0..<2).map { number in queue.on(.immediate).run { number } }
        #expect(queue.on(.immediate).run { 3 }.error as? QueueError == .full(maxWaitingCount: 2))
        waiting[0].cancel()
        let accepted = queue.on(.immediate).run { 4 }
        gate.succeed(1)
        #expect([waiting[1].success, accepted.success] == [1, 4])
    }

    @Test func `a queue with a maxWaitingCount of zero runs operations that can start immediately`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let keyed = KeyedFutureQueue<Int>(maxConcurrentCount: 1, maxWaitingCount: 0)
        #expect(queue.on(.immediate).run { 1 }.success == 1)
        #expect(queue.capacityAvailable().isCompleted)
        queue.on(.immediate).enqueue { [gate] in gate.future }
        keyed[1].on(.immediate).enqueue { [gate] in gate.future }
        #expect(queue.on(.immediate).run { 1 }.error is QueueError)
        let rooms = [queue.capacityAvailable(), keyed.capacityAvailable()]
        #expect(rooms.map(\.isCompleted) == [false, false])
        gate.succeed(1)
        #expect(rooms.map(\.isCompleted) == [true, true])
    }

    @Test func `producers that wait for capacity are admitted one by one as capacity becomes available`() {
        let (queue, blocker, log) = (FutureQueue(maxWaitingCount: 1), Promise<Int>(), Log<Int>())
        queue.on(.immediate).enqueue { [gate] in gate.future }
        _ = queue.on(.immediate).run { 1 }
        let producers = (0..<4).map { number in
            queue.capacityAvailable().flatMap(on: .immediate) { _ -> Future<Int> in
                log.add(number)
                return queue.on(.immediate).enqueue { number == 0 ? blocker.future : Future(number) }
            }
        }
        producers[1].cancel()
        #expect(log.entries == [])
        gate.succeed(1)
        // The first operation runs now and the next one waits, so the queue has no capacity for the last one.
        #expect(log.entries == [0, 2])
        blocker.succeed(0)
        #expect(log.entries == [0, 2, 3])
        #expect(producers.map(\.success) == [0, nil, 2, 3])
    }

    @Test func `an operation that waits too long fails and never starts`() {
        let (time, queue, begun) = (VirtualTime(), FutureQueue(), Shared(0))
        queue.on(.immediate).enqueue { [gate] in gate.future }
        let hurried = queue.on(time.scheduler).run(with: .waitTimeout(.seconds(5))) { begun.increment() }
        hurried.onError(on: .immediate) { _ in }
        let next = queue.on(.immediate).run { 3 }
        time.advance(by: .seconds(4))
        #expect(!hurried.isCompleted)
        time.advance(by: .seconds(1))
        #expect(hurried.error as? QueueError == .waitTimedOut(after: .seconds(5)))
        #expect(queue.waitingCount == 1)
        gate.succeed(1)
        #expect(next.success == 3)
        #expect(begun.value == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an operation that may not wait starts immediately, or fails at its scheduler's next turn`(most: Duration) {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let first = queue.on(.immediate).enqueue(with: .waitTimeout(most)) { [gate] in gate.future }
        let second = queue.on(time.scheduler).run(with: .waitTimeout(most)) { 2 }
        time.run()
        #expect(second.error as? QueueError == .waitTimedOut(after: most))
        gate.succeed(1)
        #expect(first.success == 1)
        let third = queue.on(time.scheduler).enqueue(with: .runTimeout(most)) { Future<Int>.never }
        time.run()
        #expect(third.error as? QueueError == .runTimedOut(after: most))
    }

    @Test func `an operation that runs too long fails, and the future that it returned is cancelled`() {
        let (time, queue) = (VirtualTime(), FutureQueue(resource: 1))
        let inner = Promise<Int>()
        queue.on(.immediate).enqueue { [gate] _ in gate.future }
        let slow = queue.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(20)).runTimeout(.seconds(5))) { _ in
            inner.future
        }
        slow.onError(on: .immediate) { _ in }
        let next = queue.on(.immediate).run { $0 }
        // The time limit starts with the operation, and the limit of its wait ends with it.
        time.advance(by: .seconds(18))
        gate.succeed(1)
        time.advance(by: .seconds(4))
        #expect(!slow.isCompleted)
        time.advance(by: .seconds(1))
        #expect(slow.error as? QueueError == .runTimedOut(after: .seconds(5)))
        #expect(inner.future.isCancelled)
        #expect(next.success == 1)
        #expect(time.pendingCount == 0)
    }

    @Test func `a repeated operation has its full time again`() {
        let (time, queue, runs) = (VirtualTime(), FutureQueue(), Shared(0))
        let repeated = queue.on(time.scheduler).enqueue(with: .runTimeout(.seconds(5))) {
            runs.increment() < 3 ? Future<Int>.never : Future(runs.value)
        }.onErrorRepeat(on: .immediate) { $0 as? QueueError == .runTimedOut(after: .seconds(5)) }
        time.advance(by: .seconds(9))
        #expect(runs.value == 2)
        time.advance(by: .seconds(1))
        #expect(repeated.success == 3)
    }
}
