// Semaphores, mutexes and read-write locks for futures. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureSemaphoreTests {
    @Test func `a semaphore grants count permits, and the other requests in first-in, first-out order`() {
        let (semaphore, permits) = (FutureSemaphore(count: 2), Log<Permit>())
        let futures = (0..<4).map { _ in semaphore.acquire().onValue(on: .immediate) { permits.add($0) } }
        #expect(futures.map(\.isCompleted) == [true, true, false, false])
        #expect([semaphore.runningCount, semaphore.waitingCount] == [2, 2])
        permits.entries[0].release()
        permits.entries[0].release()
        #expect(futures.map(\.isCompleted) == [true, true, true, false])
        permits.entries[1].dispose()
        #expect(futures.map(\.isCompleted) == [true, true, true, true])
        #expect(semaphore.runningCount == 2)
    }

    @Test func `a permit is granted immediately if it is available, and otherwise nothing waits for it`() {
        let (semaphore, lock) = (FutureSemaphore(count: 2), FutureReadWriteLock())
        var permits = (0..<3).map { _ in semaphore.acquireIfAvailable() }
        #expect(permits.map { $0 != nil } == [true, true, false])
        #expect(semaphore.waitingCount == 0)
        permits[0]?.release()
        #expect(semaphore.acquireIfAvailable() != nil, "Its permit is released again, as nothing refers to it.")
        let waiting = (0..<2).map { _ in semaphore.acquire() }
        permits = []
        #expect(waiting.map(\.isCompleted) == [true, true])
        withExtendedLifetime(waiting) { #expect(semaphore.acquireIfAvailable() == nil) }
        let reader = lock.reading.acquireIfAvailable()
        #expect([lock.reading, lock.writing].map { $0.acquireIfAvailable() != nil } == [true, false])
        reader?.release()
        let writer = lock.writing.acquireIfAvailable()
        #expect(lock.reading.acquireIfAvailable() == nil)
        withExtendedLifetime(writer) {}
    }

    @Test func `a permit is released with its last reference`() {
        let (semaphore, time) = (FutureSemaphore(count: 1), VirtualTime())
        let kept = Shared<Future<Permit>?>(semaphore.acquire())
        do {
            let late = semaphore.acquire().map(on: time.scheduler) { $0.release() }
            kept.value = nil
            // The permit arrives too late for a chain that is cancelled.
            late.cancel()
        }
        #expect(semaphore.runningCount == 1)
        time.run()
        #expect(semaphore.runningCount == 0)
    }

    @Test func `flatMap keeps a permit that its closure ignores until its future completes`() {
        let (mutex, gates) = (FutureMutex(), [Promise<Int>(), Promise<Int>()])
        let works = gates.map { gate in mutex.acquire().flatMap(on: .immediate) { _ in gate.future } }
        let next = mutex.acquire()
        gates[1].succeed(2)
        #expect(works[1].success == nil)
        gates[0].succeed(1)
        #expect(works[1].success == 2)
        #expect(next.isCompleted)
    }

    @Test func `a permit in the value of a flatMap is not released when its future completes`() {
        let (mutex, gate) = (FutureMutex(), Promise<Int>())
        let work = mutex.acquire().flatMap(on: .immediate) { permit in gate.future.map(on: .immediate) { _ in permit } }
        let next = mutex.acquire()
        gate.succeed(1)
        #expect(!next.isCompleted)
        work.success?.release()
        #expect(next.isCompleted)
    }
}

@Suite struct FutureReadWriteLockTests {
    @Test func `readers run concurrently, a writer runs exclusively`() {
        let (lock, log, gates) = (FutureReadWriteLock(), Log<String>(), (0..<3).map { _ in Promise<Int>() })
        func add(_ name: String, _ side: TurnSource<Void>, _ gate: Int) {
            side.on(.immediate).enqueue { log.add(name, returning: gates[gate].future) }
        }
        add("a", lock.reading, 0)
        add("b", lock.reading, 1)
        add("write", lock.writing, 2)
        // Readers wait behind a waiting writer.
        add("c", lock.reading, 2)
        add("d", lock.reading, 2)
        gates[0].succeed(1)
        #expect(log.entries == ["a", "b"])
        gates[1].succeed(1)
        #expect(log.entries == ["a", "b", "write"])
        #expect(lock.runningCount == 1)
        gates[2].succeed(1)
        #expect(log.entries == ["a", "b", "write", "c", "d"])
        #expect(lock.runningCount == 0)
    }
}
