// Semaphores, mutexes and read-write locks for futures. Contract/Locks.md

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

    @Test(arguments: nestings)
    func `a permit is granted immediately at any nesting depth`(depth: Int) {
        nest(depth) {
            let mutex = FutureMutex()
            let permit = mutex.acquireIfAvailable()
            #expect(permit != nil && mutex.acquireIfAvailable() == nil)
            permit?.release()
            #expect(mutex.acquireIfAvailable() != nil)
        }
    }

    @Test func `a cancelled request for a permit does not take another request's permit`() {
        let semaphore = FutureSemaphore(count: 1)
        let first = semaphore.acquire()
        let futures = (0..<3).map { _ in semaphore.acquire() }
        futures[0].cancel()
        futures[1].cancel()
        first.success?.release()
        #expect(futures[0].isCancelled)
        #expect(futures[2].success != nil)
    }

    @Test func `a permit is released with its last reference`() {
        let semaphore = FutureSemaphore(count: 1)
        let kept = Shared<Future<Permit>?>(semaphore.acquire())
        let next = semaphore.acquire()
        #expect(!next.isCompleted)
        kept.value = nil
        #expect(next.isCompleted)
    }

    @Test func `a permit is released with the job that captured it`() {
        let semaphore = FutureSemaphore(count: 1)
        let scheduler = Scheduler(label: "jobs")
        for _ in 0..<10 {
            var permit = semaphore.acquire().success
            let next = semaphore.acquire()
            scheduler.async { [permit] in withExtendedLifetime(permit) {} }
            permit = nil
            scheduler.sync {}
            #expect(next.isCompleted)
        }
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

    @Test func `a permit is held until the operation's future completes`() {
        let semaphore = FutureSemaphore(count: 1)
        let (gate, log) = (Promise<Int>(), Log<String>())
        let first = semaphore.on(.immediate).enqueue { gate.future }
        semaphore.on(.immediate).enqueue {
            log.add("next")
            return Future(2)
        }
        first.onValue(on: .immediate) { _ in log.add("heard") }
        let permit = semaphore.acquire()
        gate.succeed(1)
        #expect(log.entries == ["heard", "next"])
        #expect(permit.success != nil)
    }

    @Test func `a request for a permit has a time limit and a priority`() {
        let (semaphore, time) = (FutureSemaphore(count: 1), VirtualTime())
        let permit = semaphore.acquire()
        let log = Log<String>()
        let hurried = semaphore.on(time.scheduler).enqueue(with: .waitTimeout(.seconds(1))) { Future(1) }
        semaphore.on(.immediate).enqueue {
            log.add("normal")
            return Future(1)
        }
        semaphore.on(.immediate).enqueue(with: .priority(.high)) {
            log.add("high")
            return Future(1)
        }
        time.advance(by: .seconds(1))
        #expect(hurried.error as? QueueError == .waitTimedOut(after: .seconds(1)))
        permit.success?.release()
        #expect(log.entries == ["high", "normal"])
    }

    @Test func `a repetition acquires a permit again`() {
        let semaphore = FutureSemaphore(count: 1)
        let runs = Shared(0)
        let repeated = semaphore.acquire().flatMap(on: .immediate) { permit in
            permit.release()
            return runs.increment() < 3 ? Future<Int>(error: Oops()) : Future(runs.value)
        }.onErrorRepeat(on: .immediate)
        #expect(repeated.success == 3)
        #expect(semaphore.runningCount == 0)
    }

    @Test func `a semaphore with a count of zero traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FutureSemaphore(count: 0)
        }
        expectTrap(result, saying: "A semaphore's count must be at least 1")
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

@Suite struct FutureMutexTests {
    @Test func `a lock runs one operation at a time`() {
        let mutex = FutureMutex()
        let (gate, begun) = (Promise<Int>(), Shared(0))
        mutex.on(.immediate).enqueue { gate.future }
        let second = mutex.acquire()
        mutex.on(.immediate).enqueue { Future(begun.increment()) }
        #expect(!mutex.isEmpty)
        #expect(mutex.waitingCount == 2)
        gate.succeed(1)
        #expect(begun.value == 0)
        second.success?.release()
        #expect(begun.value == 1)
        #expect(mutex.isEmpty)
    }

    @Test func `an operation that holds the lock and waits for it again fails`() {
        let mutex = FutureMutex()
        let outer = mutex.on(.immediate).enqueue { mutex.on(.immediate).enqueue { Future(1) } }
        expectDeadlocks { mutex.isEmpty }
        guard case .deadlock? = outer.error as? QueueError else {
            Issue.record("\(String(describing: outer.result))")
            return
        }
        #expect(mutex.isEmpty)
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

    @Test func `a cancelled writer admits the readers behind it`() {
        let lock = FutureReadWriteLock()
        let first = lock.reading.acquire()
        let writer = lock.writing.acquire()
        let readers = (0..<3).map { _ in lock.reading.acquire() }
        #expect(readers.allSatisfy { !$0.isCompleted })
        writer.cancel()
        #expect(readers.allSatisfy { $0.isCompleted })
        #expect(lock.runningCount == 4)
        for permit in [first] + readers { permit.success?.release() }
        #expect(lock.runningCount == 0)
    }

    @Test func `readers and writers release their permits`() {
        let lock = FutureReadWriteLock()
        let writer = lock.writing.acquire()
        let readers = (0..<2).map { _ in lock.reading.acquire() }
        let second = lock.writing.acquire()
        writer.success?.release()
        #expect(readers.allSatisfy { $0.isCompleted })
        readers[0].success?.release()
        #expect(!second.isCompleted)
        readers[1].success?.release()
        #expect(second.isCompleted)
        second.success?.release()
        #expect(lock.runningCount == 0)
    }

    @Test func `a reader that waits for a writer behind it fails`() {
        let lock = FutureReadWriteLock()
        let outer = lock.reading.on(.immediate).enqueue { lock.writing.on(.immediate).enqueue { Future(1) } }
        expectDeadlocks { outer.error is QueueError && lock.runningCount == 0 }
    }
}

extension ThreadStressTests {
    @Suite struct Locks {
        @Test func `on many threads, a writer is exclusive, and every request is granted`() {
            (rounds / 10).rounds { random, _ in
                let lock = FutureReadWriteLock()
                let (readers, writers, faults) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
                let futures = Guarded<[Future<Void>]>([])
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for _ in 0..<30 {
                        let (writes, hops) = (random.next() % 3 == 0, random.next() % 2 == 0)
                        let permit = writes ? lock.writing.acquire() : lock.reading.acquire()
                        let future = permit.flatMap(on: .immediate) { permit in
                            if writes {
                                if writers.up() > 1 || readers.value > 0 { faults.up() }
                            } else {
                                readers.up()
                                if writers.value > 0 { faults.up() }
                            }
                            let done: @Sendable () -> Void = {
                                if writes { writers.down() } else { readers.down() }
                                permit.release()
                            }
                            guard hops else {
                                done()
                                return Future()
                            }
                            return Future(on: .background, immediate: done)
                        }
                        futures.with { $0.append(future) }
                        // Cancels only a permit that is still waiting. An operation that has the lock calls `done`.
                        if random.next() % 4 == 0 { permit.cancel() }
                    }
                }
                expectSoon { futures.with { $0.allSatisfy { $0.isCompleted } } && lock.runningCount == 0 }
                #expect(faults.value == 0)
                #expect(lock.waitingCount == 0)
            }
        }

        @Test func `on many threads, cancelled and released permits are not lost`() {
            (rounds / 4).rounds { random, _ in
                let semaphore = FutureSemaphore(count: 2)
                let seed = random.next()
                let (running, excess) = (AtomicCounter(), AtomicCounter())
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for _ in 0..<20 {
                        let chain = semaphore.acquire().map(on: .immediate) { permit in
                            if running.up() > 2 { excess.up() }
                            running.down()
                            withExtendedLifetime(permit) {}
                        }
                        if random.next() % 2 == 0 { chain.cancel() }
                    }
                }
                expectSoon { semaphore.runningCount == 0 && semaphore.waitingCount == 0 }
                #expect(excess.value == 0)
            }
        }
    }
}
