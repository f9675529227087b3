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
            queue.run(for: "a", $0.run)
        } next: { isOver in
            queue.run(for: "a") { await isOver() }
        }
        let other = queue.run(on: .background, for: "b") { () async in Scheduler.current }
        #expect(try! await other.arrival().get() == .background)
        _ = await queue.drained().arrival()
        #expect(queue.keyCount == 0)
    }

    @Test func `an asynchronous operation keeps its permit until its task ends`() async {
        let semaphore = FutureSemaphore(count: 1)
        await expectThatItKeepsItsTurn {
            semaphore.withPermit($0.run)
        } next: { isOver in
            semaphore.withPermit { await isOver() }
        }
    }

    @Test func `an asynchronous operation keeps its lock until its task ends`() async {
        let mutex = FutureMutex()
        await expectThatItKeepsItsTurn {
            mutex.withLock($0.run)
        } next: { isOver in
            mutex.withLock { await isOver() }
        }
    }

    @Test func `asynchronous readers run concurrently, a writer runs exclusively`() async {
        let lock = FutureReadWriteLock()
        let stubborn = Stubborn()
        let reader = lock.withReaderLock(stubborn.run)
        // Would deadlock if it had to wait for the other reader.
        let second = lock.withReaderLock {
            await Task.yield()
            return 1
        }
        #expect(try! await second.arrival().get() == 1)
        stubborn.gate.succeed()
        _ = await reader.arrival()
        await expectThatItKeepsItsTurn {
            lock.withWriterLock($0.run)
        } next: { isOver in
            lock.withReaderLock { await isOver() }
        }
        await expectThatItKeepsItsTurn {
            lock.withReaderLock($0.run)
        } next: { isOver in
            lock.withWriterLock { await isOver() }
        }
    }

    @Test func `an asynchronous operation keeps its connection until its task ends`() async {
        let made = Shared(0)
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(made.increment()) }
        await expectThatItKeepsItsTurn { stubborn in
            pool.withResource { _ in await stubborn.run() }
        } next: { isOver in
            pool.withResource { _ in await isOver() }
        }
        let failed = pool.withResource { resource in
            await Task.yield()
            throw Oops(resource)
        }
        let error = await failed.arrival()
        #expect(throws: Oops(1)) { try error.get() }
        #expect(made.value == 1)
        _ = await pool.close().arrival()
        #expect(pool.takenCount == 0)
    }

    @Test func `a resource is returned after the listeners of an asynchronous operation have been called`() async {
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
        let log = Log<String>()
        let first = pool.withResource { resource in
            await Task.yield()
            return resource
        }.onValue(on: .immediate) { _ in log.add("heard") }
        let second = pool.enqueue(on: .immediate) { _ in Future(log.add("next")) }
        _ = await join(first.asVoid(), second).arrival()
        #expect(log.entries == ["heard", "next"])
    }
    @Test func `an asynchronous operation of a lock or a pool runs on the given executor`() async throws {
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 1), FutureMutex(), FutureReadWriteLock())
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
        let scheduler = Scheduler(label: "own")
        let places = [
            semaphore.withPermit(on: scheduler) { await place() }, mutex.withLock(on: scheduler) { await place() },
            lock.withReaderLock(on: scheduler) { await place() }, lock.withWriterLock(on: scheduler) { await place() },
            pool.withResource(on: scheduler) { _ in await place() },
        ]
        for try await place in places.orderedValues() { #expect(place == scheduler) }
        // It also keeps its turn until it completes.
        let (gate, began) = (Promise<Void>(), Log<Int>())
        let waiting = [
            semaphore.withPermit(on: scheduler) { try await gate.future.value },
            mutex.withLock(on: scheduler) { try await gate.future.value },
            lock.withWriterLock(on: scheduler) { try await gate.future.value },
            pool.withResource(on: scheduler) { _ in try await gate.future.value },
        ]
        let next = [
            semaphore.enqueue(on: .immediate) { Future(began.add(1)) },
            mutex.enqueue(on: .immediate) { Future(began.add(2)) },
            lock.enqueueReading(on: .immediate) { Future(began.add(3)) },
            pool.enqueue(on: .immediate) { _ in Future(began.add(4)) },
        ]
        #expect(began.entries == [])
        gate.succeed()
        _ = try await join(waiting + next).value
        #expect(began.entries.sorted() == [1, 2, 3, 4])
    }
}

private func place() async -> Scheduler { Scheduler.current }
