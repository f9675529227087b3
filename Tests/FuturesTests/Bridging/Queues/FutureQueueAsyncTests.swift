// Asynchronous operations of queues: their turns, their tasks and their cancellation. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

private enum Trace {
    @TaskLocal static var name = "none"
}

@Suite struct FutureQueueAsyncTests {
    @Test func `an asynchronous operation keeps its turn until its task ends`() async throws {
        let queue = FutureQueue(resource: 7)
        let (gate, log) = (Promise<Void>(), Log<String>())
        let first = queue.run { resource in
            log.add("first begins")
            try await gate.future.value
            log.add("first ends")
            return resource
        }.onValue(on: .immediate) { _ in log.add("first heard") }
        let second = queue.run { resource in
            await Task.yield()
            log.add("second")
            return resource + 1
        }
        let third = queue.on(.immediate).enqueue { _ in Future(log.add("third")) }
        #expect(queue.runningCount == 1)
        #expect(queue.waitingCount == 2)
        gate.succeed()
        #expect(try await first.value == 7)
        #expect(try await second.value == 8)
        try await third.value
        #expect(log.entries == ["first begins", "first ends", "first heard", "second", "third"])
        try await queue.drained().value
        #expect(queue.isEmpty)
    }

    @Test func `run takes synchronous and asynchronous closures, and enqueue those that return a future`() async throws
    {
        let queue = FutureQueue(resource: 1)
        let synchronous = queue.on(.immediate).run { $0 + 1 }
        #expect(synchronous.success == 2)
        let asynchronous: Future<Int> = queue.run { resource in
            await Task.yield()
            return resource + 2
        }
        let returned: Future<Int> = queue.enqueue { Future($0 + 3) }
        #expect(try await asynchronous.value == 3)
        #expect(try await returned.value == 4)
    }

    @Test func `the task of an operation that is refused or waits too long ends`() async {
        let time = VirtualTime()
        let (gate, census) = (Promise<Int>(), Census())
        let queue = FutureQueue(maxWaitingCount: 1)
        queue.on(.immediate).enqueue { gate.future }
        let late = enqueue(census.make(), in: queue, on: time.scheduler)
        let refused = enqueue(census.make(), in: queue, on: time.scheduler)
        #expect(refused.error as? QueueError == .full(maxWaitingCount: 1))
        time.advance(by: .seconds(5))
        #expect(late.error as? QueueError == .waitTimedOut(after: .seconds(5)))
        _ = consume late
        _ = consume refused
        await census.expectNone { time.run() }
    }

    private func enqueue(
        _ object: Census.Counted, in queue: FutureQueue<Void>, on scheduler: Scheduler
    ) -> Future<Void> {
        queue.on(scheduler).run(with: .waitTimeout(.seconds(5))) { () async in object.touch() }
    }

    @Test func `an abort or a time limit cancels an operation's task, which keeps its turn`() async {
        for isAborted in [true, false] {
            let (time, queue) = (VirtualTime(), FutureQueue())
            let (begun, gate) = (Promise<Void>(), Promise<Void>())
            let isCancelled = Shared(false)
            let future = queue.on(time.scheduler).run(with: .runTimeout(.seconds(1))) { () async -> Int in
                begun.succeed()
                _ = await gate.future.arrival()
                isCancelled.value = Task.isCancelled
                return 1
            }
            await run(time, until: begun.future)
            if isAborted { queue.cancelAll() } else { time.advance(by: .seconds(1)) }
            #expect(
                isAborted
                    ? future.error is CancellationError
                    : future.error as? QueueError == .runTimedOut(after: .seconds(1)))
            #expect(queue.runningCount == 1)
            gate.succeed()
            await run(time, until: queue.drained())
            #expect(isCancelled.value)
        }
    }

    /// Runs the tasks of a scheduler until a future has completed.
    private func run(_ time: VirtualTime, until future: Future<Void>) async {
        #expect(await comesTrue(while: { time.run() }) { future.isCompleted })
    }

    @Test func `a queue's task has the task-local values of the code that enqueued it`() async {
        let queue = FutureQueue()
        let gate = Promise<Void>()
        let first = Trace.$name.withValue("first") {
            queue.run {
                _ = await gate.future.arrival()
                return Trace.name
            }
        }
        let second = queue.run {
            await Task.yield()
            return Trace.name
        }
        gate.succeed()
        #expect(await first.arrival().success == "first")
        #expect(await second.arrival().success == "none")
    }

    @MainActor @Test func `an asynchronous operation runs on its closure's actor or on the queue's scheduler`() async {
        let queue = FutureQueue(resource: 1, executeOn: .background)
        var count = 0
        let isolated = queue.run { resource in
            await Task.yield()
            MainActor.assertIsolated()
            count += resource
        }
        _ = await isolated.arrival()
        #expect(count == 1)
        let (asQueue, elsewhere) = (Self.place(in: queue), Self.place(in: queue, on: .background))
        #expect(await asQueue.arrival().success == .background)
        #expect(await elsewhere.arrival().success == .background)
    }

    private nonisolated static func place(in queue: FutureQueue<Int>) -> Future<Scheduler> {
        queue.run { _ in await place() }
    }

    private nonisolated static func place(in queue: FutureQueue<Int>, on scheduler: Scheduler) -> Future<Scheduler> {
        queue.on(scheduler).run { _ in await place() }
    }

    private nonisolated static func place() async -> Scheduler { Scheduler.current }
}
