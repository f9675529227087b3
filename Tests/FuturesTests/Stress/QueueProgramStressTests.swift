// Queues and locks under threads, with all their features: never over the limit, in order, nothing lost.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct WholeQueues {
        @Test func `under random calls, a queue loses no operation, and keeps its limits and order`() async {
            await runPrograms(rounds / 4) { random in
                let (limit, waiting) = (random.pick([1, 1, 2, 3]), random.pick([Int.max, .max, 4]))
                let rate = random.oneIn(3) ? RateLimit(1, per: .microseconds(20), burst: 2) : nil
                let queue = FutureQueue(maxConcurrentCount: limit, maxWaitingCount: waiting, rate: rate)
                var face = QueueFace(queue, groups: .priorities) { _ in queue }
                face.batches = queue.on(.immediate)
                return QueueProgram(face, &random, limit: limit, maxWaitingCount: waiting)
            }
        }

        @Test func `under random calls, a keyed queue keeps its limits and order, and no key`() async {
            await runPrograms(rounds / 4) { random in
                let (limit, keyLimit) = (random.pick([Int.max, 2, 3]), random.pick([1, 1, 2]))
                let waiting = random.pick([Int.max, .max, 4])
                let rate = random.oneIn(3) ? RateLimit(1, per: .microseconds(20), burst: 2) : nil
                let queue = KeyedFutureQueue<Key>(
                    maxConcurrentCount: limit, maxConcurrentCountPerKey: keyLimit, maxWaitingCount: waiting, rate: rate)
                let census = Census()
                var face = QueueFace(queue, groups: .keys) { queue[Key($0.group, census)] }
                face.abortGroup = { queue[Key($0, census)].cancelAll(with: Oops()) }
                face.keepsNothing = { queue.keyCount == 0 && census.alive == 0 }
                return QueueProgram(face, &random, limit: limit, groupLimit: keyLimit, maxWaitingCount: waiting)
            }
        }

        @Test func `under random cancels, a semaphore keeps its number of permits and grants them in order`() async {
            await runPrograms(rounds / 2) { random in
                let count = random.pick([1, 1, 2, 3])
                let semaphore = FutureSemaphore(count: count)
                let groups = random.oneIn(2) ? QueueFace.Groups.priorities : .none
                return QueueProgram(
                    QueueFace(semaphore, groups: groups, isLock: true) { _ in semaphore }, &random, limit: count)
            }
        }

        @Test func `under random cancels, a writer is exclusive, and all are admitted in order`() async {
            await runPrograms(rounds / 2) { random in
                let lock = FutureReadWriteLock()
                var face = QueueFace(lock, isLock: true) { $0.isAlone ? lock.writing : lock.reading }
                face.hasWriters = true
                return QueueProgram(face, &random, limit: .max)
            }
        }
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
