// Asynchronous operations of queues: their turns, their tasks and their cancellation. Contract/Queues.md

import Futures
import Testing

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
        #expect([queue.runningCount, queue.waitingCount] == [1, 2])
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
