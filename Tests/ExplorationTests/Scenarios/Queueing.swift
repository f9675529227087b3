// Queues: turns are given, ended, cancelled and aborted by several threads; one operation has the turn at a time.

import Futures

let queueingScenarios = [
    Scenario("raise the limit, complete the running one") {
        let (queue, promise, other) = (FutureQueue(), Promise<Tracked>(), Promise<Tracked>())
        let futures = [promise, other, other].map { promise in queue.on(.immediate).enqueue { promise.future } }
        return .init(
            threads: [{ queue.maxConcurrentCount = 2 }, { promise.succeed(Tracked(1)) }],
            check: {
                let count = queue.runningCount
                other.succeed(Tracked(2))
                if count != 2 { return "\(count) have run" }
                return queue.isEmpty && futures.allSatisfy(\.isCompleted) ? nil : "not empty"
            })
    },
    Scenario("a lock for reading and writing: complete a reader, enqueue a reader behind a writer") {
        let (lock, notes, promise) = (FutureReadWriteLock(), Notes(), Promise<Tracked>())
        let read: @Sendable () -> Void = {
            lock.reading.on(.immediate).enqueue {
                notes.add("reads")
                return Future(Tracked(1))
            }
        }
        lock.reading.on(.immediate).enqueue { promise.future }
        lock.writing.on(.immediate).enqueue {
            notes.add("writes")
            return Future(Tracked(1))
        }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, read],
            check: { expect(notes.all, among: [["writes", "reads"]]) })
    },
    Scenario("an operation that is repeated fails, cancel it, another one has the turn") {
        let (queue, first, other) = (FutureQueue(), Promise<Tracked>(), Promise<Tracked>())
        let future = queue.on(.immediate).enqueue { first.future }.repeatedInPlace(maxRepetitions: 1)
        queue.on(.immediate).enqueue { other.future }
        return .init(
            threads: [{ first.fail(Failed()) }, { future.cancel() }],
            check: {
                let count = queue.waitingCount
                other.succeed(Tracked(1))
                return count == 0 && queue.isEmpty ? nil : "\(count) wait"
            })
    },
    Scenario("a paused queue: abort all, cancel a waiting one, until it is drained") {
        let (queue, inside) = (FutureQueue(), OneAtATime())
        queue.isPaused = true
        let waiting = (0..<2).map { _ in queue.on(.immediate).enqueue { inside.operation() } }
        let drained = queue.drained()
        return .init(
            threads: [{ queue.cancelAll() }, { waiting[1].cancel() }],
            check: { inside.failure(0...0) ?? (drained.isCompleted ? nil : "not drained") })
    },
    Scenario("give back a permit, cancel that asks for one") {
        let (semaphore, inside) = (FutureSemaphore(count: 1), OneAtATime())
        let permit = Kept(try! semaphore.acquire().wait())
        // Released by its thread: a chain may keep a permit as long as it lives itself.
        let asking = Kept(
            semaphore.acquire().map(on: .immediate) { permit in
                permit.release()
                return Tracked(1)
            })
        return .init(
            threads: [{ permit.take().release() }, { asking.take().cancel() }],
            check: {
                semaphore.on(.immediate).enqueue { inside.operation() }
                return inside.failure(1...1)
            })
    },
    Scenario("give back a permit, give it back") {
        let (semaphore, inside, promise) = (FutureSemaphore(count: 1), OneAtATime(), Promise<Tracked>())
        let permit = try! semaphore.acquire().wait()
        return .init(
            threads: [{ permit.release() }, { permit.release() }],
            check: {
                for _ in 0..<2 { semaphore.on(.immediate).enqueue { inside.operation(promise.future) } }
                promise.succeed(Tracked(1))
                return inside.failure(2...2)
            })
    },
]
