// Queues under threads, with all their features: never over the limit, in order, nothing lost.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct WholeQueues {
        @Test
        func `under random aborts, pauses, closes and cancels, a queue keeps its limits and order, and loses nothing`()
            async
        {
            await runPrograms(rounds / 4) { random in
                let (limit, waiting) = (random.pick([1, 1, 2, 3]), random.pick([Int.max, .max, 4]))
                let rate = random.oneIn(3) ? RateLimit(1, per: .microseconds(20), burst: 2) : nil
                let queue = FutureQueue(maxConcurrentCount: limit, maxWaitingCount: waiting, rate: rate)
                return QueueProgram(QueueFace(queue), &random, limit: limit, maxWaitingCount: waiting)
            }
        }

        @Test
        func `under random aborts, pauses and cancels, a keyed queue keeps its limits and order, and no key`()
            async
        {
            await runPrograms(rounds / 4) { random in
                let (limit, keyLimit) = (random.pick([Int.max, 2, 3]), random.pick([1, 1, 2]))
                let waiting = random.pick([Int.max, .max, 4])
                let rate = random.oneIn(3) ? RateLimit(1, per: .microseconds(20), burst: 2) : nil
                let queue = KeyedFutureQueue<Key>(
                    maxConcurrentCount: limit, maxConcurrentCountPerKey: keyLimit, maxWaitingCount: waiting, rate: rate)
                return QueueProgram(
                    QueueFace(queue), &random, limit: limit, groupLimit: keyLimit, maxWaitingCount: waiting)
            }
        }
    }
}

extension QueueFace {
    fileprivate init(_ queue: FutureQueue<Void>) {
        let priorities = [QueuePriority.normal, .high, .low]
        enqueue = { visit, scheduler, waiting, running, body in
            queue.on(scheduler).enqueue(
                with: .priority(priorities[visit.group]).waitTimeout(waiting).runTimeout(running), body)
        }
        enqueueTask = { visit, waiting, body in
            queue.run(with: .priority(priorities[visit.group]).waitTimeout(waiting), body)
        }
        abort = { _, closing in
            if closing { queue.close(with: Oops()) }
            queue.cancelAll(with: Oops())
        }
        setPaused = { if $0 { queue.isPaused = true } else { queue.isPaused = false } }
        close = { queue.close() }
        drained = { queue.drained() }
        room = { queue.capacityAvailable() }
        closedError = { queue.closedError }
        waitingCount = { queue.waitingCount }
        isEmpty = { queue.isEmpty && queue.waitingCount == 0 && queue.runningCount == 0 }
    }

    fileprivate init(_ queue: KeyedFutureQueue<Key>) {
        let census = Census()
        enqueue = { visit, scheduler, waiting, running, body in
            queue[Key(visit.group, census)].on(scheduler).enqueue(with: .waitTimeout(waiting).runTimeout(running), body)
        }
        enqueueTask = { visit, waiting, body in
            queue[Key(visit.group, census)].run(with: .waitTimeout(waiting), body)
        }
        abort = { group, closing in
            if closing {
                queue.close(with: Oops())
                queue.cancelAll(with: Oops())
            } else {
                queue[Key(group, census)].cancelAll(with: Oops())
            }
        }
        setPaused = { if $0 { queue.isPaused = true } else { queue.isPaused = false } }
        close = { queue.close() }
        drained = { queue.drained() }
        room = { queue.capacityAvailable() }
        closedError = { queue.closedError }
        waitingCount = { queue.waitingCount }
        isEmpty = { queue.isEmpty && queue.keyCount == 0 && census.alive == 0 }
    }
}

/// A key that is counted while it is retained.
private struct Key: Hashable {
    let number: Int
    let object: Census.Counted

    init(_ number: Int, _ census: Census) {
        self.number = number
        object = census.make()
    }

    static func == (one: Key, other: Key) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
