// Budgets of semaphores, locks and pools.

import Futures

extension Budget {
    static let locking = [
        each("acquire and release", of: "TurnGiver.acquire", permit) { [semaphore = FutureSemaphore(count: 1)] in
            semaphore.acquire().onValue(on: .immediate) { $0.release() }
            precondition(semaphore.runningCount == 0)
        },
        each("acquire and release, of a pool", of: "ResourcePool.acquire", permit) { [pool = pool] in
            pool.acquire().onValue(on: .immediate) { $0.release() }
            precondition(pool.runningCount == 0)
        },
        each(
            "enqueue in a pool, idle before", of: "TurnGiver.enqueue",
            queued + [Reason(1, "what the operation's future keeps: its pool, and its terms")]
        ) { [pool = pool] in precondition(pool.on(.immediate).enqueue { Future($0) }.isCompleted) },
        each(
            "close of a pool", of: "ResourcePool.close",
            combination(of: 1) + [
                Reason(10, "the error, the futures of emptiness and of the end, what closes the idle")
            ]
        ) { [pool = pool] in escape(pool.close()) },
    ]

    private static var pool: ResourcePool<Int> { ResourcePool(maxCount: 1, on: .immediate) { Future(1) } }

    private static let permit = [
        Reason(2, "the future, and what its closure keeps: its line"), Reason(1, "the permit"),
        Reason(1, "the listener, which releases the permit"),
    ]
}
