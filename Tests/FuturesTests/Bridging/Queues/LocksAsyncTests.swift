// Asynchronous operations of keyed queues, semaphores, locks and pools.

import Futures
import Testing

@Suite struct LocksAsyncTests {
    enum Kind: CaseIterable { case key, semaphore, mutex, reading, writing, pool }

    typealias Run = @Sendable (@escaping @Sendable () async -> Int) -> Future<Int>

    /// Two ways to run an operation, of which the second one waits for the turn of the first.
    private func runs(_ kind: Kind, on scheduler: Scheduler) -> (first: Run, next: Run) {
        switch kind {
        case .key:
            let queue = KeyedFutureQueue<String>()
            return ({ queue["a"].on(scheduler).run($0) }, { queue["a"].run($0) })
        case .semaphore:
            let semaphore = FutureSemaphore(count: 1)
            return ({ semaphore.on(scheduler).run($0) }, { semaphore.run($0) })
        case .mutex:
            let mutex = FutureMutex()
            return ({ mutex.on(scheduler).run($0) }, { mutex.run($0) })
        case .reading:
            let lock = FutureReadWriteLock()
            return ({ lock.reading.on(scheduler).run($0) }, { lock.writing.run($0) })
        case .writing:
            let lock = FutureReadWriteLock()
            return ({ lock.writing.on(scheduler).run($0) }, { lock.reading.run($0) })
        case .pool:
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            return (
                { body in pool.on(scheduler).run { _ in await body() } }, { body in pool.run { _ in await body() } }
            )
        }
    }

    @Test(arguments: Kind.allCases)
    func `an asynchronous operation of every kind that is cancelled keeps its turn until its task ends`(_ kind: Kind)
        async
    {
        let scheduler = Scheduler(label: "own")
        let runs = runs(kind, on: scheduler)
        let (begun, gate, isOver, place) = (Promise<Void>(), Promise<Void>(), Shared(false), Shared<Scheduler?>(nil))
        let first = runs.first {
            place.value = .current
            begun.succeed()
            _ = await gate.future.arrival()
            isOver.value = true
            return 1
        }
        let next = runs.next { isOver.value ? 2 : 0 }
        _ = await begun.future.arrival()
        first.cancel()
        #expect(first.isCancelled)
        #expect(!next.isCompleted)
        gate.succeed()
        #expect(try! await next.arrival().get() == 2)
        #expect(place.value == scheduler)
    }
}
