// Budgets of semaphores, locks and pools.

import Futures

extension Budget {
    static let locking = [
        Budget("acquire and release", of: "FutureSemaphore.acquire", permit) { times in
            let semaphore = FutureSemaphore(count: 1)
            for _ in 0..<times { semaphore.acquire().onValue(on: .immediate) { $0.release() } }
            precondition(semaphore.takenCount == 0)
        },
        Budget("enqueue in a semaphore", of: "FutureSemaphore.enqueue", queued) { times in
            let semaphore = FutureSemaphore(count: 1)
            for _ in 0..<times { semaphore.enqueue(on: .immediate) { Future(1) } }
            precondition(semaphore.takenCount == 0)
        },
        Budget("lock and release", of: "FutureMutex.lock", permit) { times in
            let mutex = FutureMutex()
            for _ in 0..<times { mutex.lock().onValue(on: .immediate) { $0.release() } }
            precondition(!mutex.isLocked)
        },
        Budget("enqueue in a mutex", of: "FutureMutex.enqueue", queued) { times in
            let mutex = FutureMutex()
            for _ in 0..<times { mutex.enqueue(on: .immediate) { Future(1) } }
            precondition(!mutex.isLocked)
        },
        Budget("lockForReading and release", of: "FutureReadWriteLock.lockForReading", permit) { times in
            let lock = FutureReadWriteLock()
            for _ in 0..<times { lock.lockForReading().onValue(on: .immediate) { $0.release() } }
            precondition(lock.takenCount == 0)
        },
        Budget("lockForWriting and release", of: "FutureReadWriteLock.lockForWriting", permit) { times in
            let lock = FutureReadWriteLock()
            for _ in 0..<times { lock.lockForWriting().onValue(on: .immediate) { $0.release() } }
            precondition(lock.takenCount == 0)
        },
        Budget("enqueueReading", of: "FutureReadWriteLock.enqueueReading", queued) { times in
            let lock = FutureReadWriteLock()
            for _ in 0..<times { lock.enqueueReading(on: .immediate) { Future(1) } }
            precondition(lock.takenCount == 0)
        },
        Budget("enqueueWriting", of: "FutureReadWriteLock.enqueueWriting", queued) { times in
            let lock = FutureReadWriteLock()
            for _ in 0..<times { lock.enqueueWriting(on: .immediate) { Future(1) } }
            precondition(lock.takenCount == 0)
        },
        Budget(
            "enqueue in a pool, idle before", of: "ResourcePool.enqueue",
            queued + [Reason(1, "what the operation's future keeps: its pool, and its terms")]
        ) { times in
            let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
            for _ in 0..<times { pool.enqueue(on: .immediate) { Future($0) } }
            precondition(pool.takenCount == 0)
        },
        Budget("enqueue in a pool, checked before", of: "ResourcePool.enqueue", checked) { times in
            let pool = ResourcePool(maxCount: 1, on: .immediate, create: { Future(1) }, check: { _ in Future(true) })
            for _ in 0..<times { pool.enqueue(on: .immediate) { Future($0) } }
            precondition(pool.takenCount == 0)
        },
        Budget("prewarm, 1 resource", of: "ResourcePool.prewarm", prewarmed) { times in
            let pool = ResourcePool(maxCount: times, on: .immediate) { Future(1) }
            for count in 1...max(times, 1) { pool.prewarm(count) }
        },
        Budget(
            "close of a pool", of: "ResourcePool.close",
            [
                Reason(1, "the error"), Reason(2, "a future of the line's emptiness, and its closure"),
                Reason(1, "the node that closes what is idle"),
                Reason(2, "the arrays of that"), Reason(2, "a future of the closing's end, and its closure"),
            ] + combination(of: 1) + [Reason(2, "what keeps a cancel from all that, and passes on its end")]
        ) { times in
            let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(1) }
            for _ in 0..<times { escape(pool.close()) }
        },
    ]

    private static let prewarmed = [
        Reason(1, "the array of operations"),
        Reason(3, "the operation, its closure, and the same with its turn"),
        Reason(4, "what keeps its turn, and what that calls; its weak reference, and the side table of that"),
        Reason(2, "the promise of the lease, and its future"),
        Reason(2, "the resource's place, and what that calls"),
        Reason(4, "the call on the pool's scheduler: what it follows, its node, its closure, their types"),
        made,
        Reason(3, "the step that looks at its result, its closure and types"),
        Reason(2, "the resource, and its lease"),
        Reason(3, "the step that gives it back, its closure and types"),
        Reason(11, "the join of one: arrays, counts, its node, its listener and what detaches it"),
        Reason(1, "the same future without values"),
        Reason(7, "the end of the resource, when the pool is released"),
    ]
    private static let checked = [
        Reason(3, "the operation's future, and what it keeps; the future that the operation makes"),
        Reason(4, "what keeps its turn, and what that calls; its weak reference, and the side table of that"),
        Reason(1, "the lease"),
        Reason(5, "the check, on the pool's scheduler: what it follows, its node, two closures, their types"),
        Reason(1, "the future that the check makes"),
        Reason(2, "the listener that looks at its answer, and its closure"),
        Reason(2, "the promise of the lease, and its future"),
        Reason(3, "the node that hands on the lease; its closure; their types"),
        Reason(2, "the node of the operation with that, and its closure"),
    ]
    private static let permit = [
        Reason(1, "the future"), Reason(1, "the permit"), Reason(1, "what the future's closure keeps: its line"),
        Reason(1, "the listener, which releases the permit"),
    ]
}
