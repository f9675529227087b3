// Semaphores, mutexes and read-write locks for futures. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureSemaphoreTests {
    @Test func `a semaphore grants count permits, and the other requests in first-in, first-out order`() {
        let semaphore = FutureSemaphore(count: 2)
        let permits = Log<Permit>()
        let futures = (0..<4).map { _ in semaphore.acquire().onValue(on: .immediate) { permits.add($0) } }
        #expect(futures.map(\.isCompleted) == [true, true, false, false])
        #expect(semaphore.runningCount == 2)
        #expect(semaphore.waitingCount == 2)
        permits.entries[0].release()
        permits.entries[0].release()
        #expect(futures.map(\.isCompleted) == [true, true, true, false])
        permits.entries[1].dispose()
        #expect(futures.map(\.isCompleted) == [true, true, true, true])
        #expect(semaphore.runningCount == 2)
    }

    @Test func `a permit is granted immediately if it is available, and otherwise nothing waits for it`() {
        let (semaphore, mutex, lock) = (FutureSemaphore(count: 2), FutureMutex(), FutureReadWriteLock())
        var permits = (0..<3).map { _ in semaphore.acquireIfAvailable() }
        #expect(permits.map { $0 != nil } == [true, true, false] && semaphore.waitingCount == 0)
        permits[0]?.release()
        #expect(semaphore.acquireIfAvailable() != nil, "Its permit is released again, as nothing refers to it.")
        let held = mutex.acquireIfAvailable()
        #expect(held != nil && mutex.acquireIfAvailable() == nil && !mutex.isEmpty)
        let waiting = mutex.acquire()
        held?.release()
        #expect(waiting.success != nil && mutex.acquireIfAvailable() == nil)
        let reader = lock.reading.acquireIfAvailable()
        #expect(lock.reading.acquireIfAvailable() != nil && lock.writing.acquireIfAvailable() == nil)
        reader?.release()
        let writer = lock.writing.acquireIfAvailable()
        #expect(writer != nil && lock.reading.acquireIfAvailable() == nil)
        permits = []
        #expect(semaphore.runningCount == 0 && lock.waitingCount == 0)
    }

    @Test func `a permit is released with its last reference`() {
        let semaphore = FutureSemaphore(count: 1)
        let kept = Shared<Future<Permit>?>(semaphore.acquire())
        let next = semaphore.acquire()
        #expect(!next.isCompleted)
        kept.value = nil
        #expect(next.isCompleted)
    }

    @Test func `flatMap keeps a permit that its closure ignores until its future completes`() {
        let mutex = FutureMutex()
        let gates = [Promise<Int>(), Promise<Int>()]
        let works = gates.map { gate in mutex.acquire().flatMap(on: .immediate) { _ in gate.future } }
        let next = mutex.acquire()
        gates[1].succeed(2)
        #expect(works[1].success == nil)
        gates[0].succeed(1)
        #expect(works[1].success == 2 && next.isCompleted)
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

    @Test func `a permit that arrives too late for a cancelled chain is released with the chain`() {
        let semaphore = FutureSemaphore(count: 1)
        let time = VirtualTime()
        do {
            let chain = semaphore.acquire().map(on: time.scheduler) { $0.release() }
            #expect(semaphore.runningCount == 1)
            chain.cancel()
        }
        time.run()
        #expect(semaphore.runningCount == 0)
    }

    @Test func `an unreferenced semaphore grants the waiting requests and is deallocated`() {
        let census = Census()
        var semaphore: FutureSemaphore? = FutureSemaphore(count: 1)
        weak let gone = semaphore
        let permit = semaphore?.acquire().success
        let object = census.make()
        let next = semaphore?.on(.immediate).enqueue { object.pass(Future(2)) }
        semaphore = nil
        #expect(gone == nil)
        #expect(next?.success == nil)
        permit?.release()
        #expect(next?.success == 2)
    }
}

@Suite struct FutureReadWriteLockTests {
    @Test func `readers run concurrently, a writer runs exclusively`() {
        let lock = FutureReadWriteLock()
        let log = Log<String>()
        let gates = (0..<4).map { _ in Promise<Int>() }
        func read(_ name: String, _ gate: Promise<Int>) {
            lock.reading.on(.immediate).enqueue {
                log.add(name)
                return gate.future
            }
        }
        read("a", gates[0])
        read("b", gates[1])
        lock.writing.on(.immediate).enqueue {
            log.add("write")
            return gates[2].future
        }
        // Readers wait behind a waiting writer.
        read("c", gates[3])
        read("d", gates[3])
        #expect(log.entries == ["a", "b"])
        gates[0].succeed(1)
        #expect(log.entries == ["a", "b"])
        gates[1].succeed(1)
        #expect(log.entries == ["a", "b", "write"])
        #expect(lock.runningCount == 1)
        gates[2].succeed(1)
        #expect(log.entries == ["a", "b", "write", "c", "d"])
        #expect(lock.runningCount == 2)
        gates[3].succeed(1)
        #expect(lock.runningCount == 0)
    }
}
