// Asynchronous operations of keyed queues, semaphores, locks and pools.

import Futures
import Testing

/// An operation that ignores its cancellation.
private struct Stubborn: Sendable {
    let begun = Promise<Void>()
    let gate = Promise<Void>()
    let isOver = Shared(false)

    @Sendable func run() async -> Int {
        begun.succeed()
        _ = await gate.future.arrival()
        isOver.value = true
        return 1
    }
}

/// Cancels a stubborn operation: `next` must start when its task has completed, and not before.
private func expectThatItKeepsItsTurn(
    _ enqueue: (Stubborn) -> Future<Int>, next: (@escaping @Sendable () async -> Bool) -> Future<Bool>
) async {
    let stubborn = Stubborn()
    let future = enqueue(stubborn)
    let follower = next { stubborn.isOver.value }
    _ = await stubborn.begun.future.arrival()
    future.cancel()
    #expect(future.isCancelled)
    #expect(!follower.isCompleted)
    stubborn.gate.succeed()
    #expect(try! await follower.arrival().get())
}

@Suite struct LocksAsyncTests {
    @Test func `an asynchronous operation keeps its key's turn until its task ends`() async {
        let queue = KeyedFutureQueue<String>()
        await expectThatItKeepsItsTurn {
            queue["a"].run($0.run)
        } next: { isOver in
            queue["a"].run { await isOver() }
        }
        let other = queue["b"].on(.background).run { () async in Scheduler.current }
        #expect(try! await other.arrival().get() == .background)
        _ = await queue.drained().arrival()
        #expect(queue.keyCount == 0)
    }

    @Test func `an asynchronous operation keeps its permit until its task ends`() async {
        let semaphore = FutureSemaphore(count: 1)
        await expectThatItKeepsItsTurn {
            semaphore.run($0.run)
        } next: { isOver in
            semaphore.run { await isOver() }
        }
    }

    @Test func `an asynchronous operation keeps its lock until its task ends`() async {
        let mutex = FutureMutex()
        await expectThatItKeepsItsTurn {
            mutex.run($0.run)
        } next: { isOver in
            mutex.run { await isOver() }
        }
    }

    @Test func `asynchronous readers run concurrently, a writer runs exclusively`() async {
        let lock = FutureReadWriteLock()
        let stubborn = Stubborn()
        let reader = lock.reading.run(stubborn.run)
        // Would deadlock if it had to wait for the other reader.
        let second = lock.reading.run {
            await Task.yield()
            return 1
        }
        #expect(try! await second.arrival().get() == 1)
        stubborn.gate.succeed()
        _ = await reader.arrival()
        await expectThatItKeepsItsTurn {
            lock.writing.run($0.run)
        } next: { isOver in
            lock.reading.run { await isOver() }
        }
        await expectThatItKeepsItsTurn {
            lock.reading.run($0.run)
        } next: { isOver in
            lock.writing.run { await isOver() }
        }
    }

    @Test func `an asynchronous operation keeps its connection until its task ends`() async {
        let made = Shared(0)
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(made.increment()) }
        await expectThatItKeepsItsTurn { stubborn in
            pool.run { _ in await stubborn.run() }
        } next: { isOver in
            pool.run { _ in await isOver() }
        }
        let failed = pool.run { resource in
            await Task.yield()
            throw Oops(resource)
        }
        let error = await failed.arrival()
        #expect(throws: Oops(1)) { try error.get() }
        #expect(made.value == 1)
        _ = await pool.close().arrival()
        #expect(pool.runningCount == 0)
    }

    @Test func `a resource is returned after the listeners of an asynchronous operation have been called`() async {
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
        let log = Log<String>()
        let first = pool.run { resource in
            await Task.yield()
            return resource
        }.onValue(on: .immediate) { _ in log.add("heard") }
        let second = pool.on(.immediate).enqueue { _ in Future(log.add("next")) }
        _ = await join(first.asVoid(), second).arrival()
        #expect(log.entries == ["heard", "next"])
    }
    @Test func `an asynchronous operation of a lock or a pool runs on the given executor`() async throws {
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 1), FutureMutex(), FutureReadWriteLock())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
        let scheduler = Scheduler(label: "own")
        let places = [
            semaphore.on(scheduler).run { await place() }, mutex.on(scheduler).run { await place() },
            lock.reading.on(scheduler).run { await place() }, lock.writing.on(scheduler).run { await place() },
            pool.on(scheduler).run { _ in await place() },
        ]
        for place in places { #expect(try await place.value == scheduler) }
        // It also keeps its turn until it completes.
        let (gate, began) = (Promise<Void>(), Log<Int>())
        let waiting = [
            semaphore.on(scheduler).run { try await gate.future.value },
            mutex.on(scheduler).run { try await gate.future.value },
            lock.writing.on(scheduler).run { try await gate.future.value },
            pool.on(scheduler).run { _ in try await gate.future.value },
        ]
        let next = [
            semaphore.on(.immediate).enqueue { Future(began.add(1)) },
            mutex.on(.immediate).enqueue { Future(began.add(2)) },
            lock.reading.on(.immediate).enqueue { Future(began.add(3)) },
            pool.on(.immediate).enqueue { _ in Future(began.add(4)) },
        ]
        #expect(began.entries == [])
        gate.succeed()
        _ = try await join(waiting + next).value
        #expect(began.entries.sorted() == [1, 2, 3, 4])
    }
}

private func place() async -> Scheduler { Scheduler.current }
