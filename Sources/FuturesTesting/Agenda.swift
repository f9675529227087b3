// Agenda: the pending jobs of a clock.

import Futures

/// A priority queue of pending jobs, ordered by due time; jobs of the same time are in first-in, first-out order.
///
/// It calls and releases no job: a caller that removes one under a lock runs or releases it after the lock.
struct Agenda {
    /// A pending job, as a report shows it.
    struct Item: Sendable {
        let time: Duration
        let isTimer: Bool
    }

    private struct Key: Comparable {
        let time: Duration
        let order: Int

        static func < (a: Key, b: Key) -> Bool { (a.time, a.order) < (b.time, b.order) }
    }

    private struct Waiting {
        let item: Item
        let job: Job
    }

    private var waiting: [Int: Waiting] = [:]
    /// A binary heap of the keys, with the earliest at the top. Keys of removed jobs stay and are skipped later:
    /// finding a key in the middle of a heap would take time proportional to its size.
    private var heap: [Key] = []
    private var lastOrder = 0

    var count: Int { waiting.count }

    /// All pending jobs, in order.
    var items: [Item] { heap.sorted().compactMap { waiting[$0.order]?.item } }

    /// Adds a job; returns the number that `remove` takes.
    mutating func add(_ job: Job, at time: Duration, isTimer: Bool) -> Int {
        lastOrder += 1
        waiting[lastOrder] = Waiting(item: Item(time: time, isTimer: isTimer), job: job)
        heap.append(Key(time: time, order: lastOrder))
        rise(heap.count - 1)
        return lastOrder
    }

    mutating func remove(_ order: Int) -> Job? {
        guard let removed = waiting.removeValue(forKey: order) else { return nil }
        if heap.count > 2 * waiting.count + 16 {
            // A sorted array is a heap.
            heap = heap.filter { waiting[$0.order] != nil }.sorted()
        }
        return removed.job
    }

    /// Removes the first job that is due at `end` or earlier; returns its time and the job.
    mutating func takeFirst(until end: Duration?) -> (Duration, Job)? {
        while let first = heap.first {
            if let end, first.time > end { return nil }
            removeTop()
            if let found = waiting.removeValue(forKey: first.order) { return (first.time, found.job) }
        }
        return nil
    }

    private mutating func removeTop() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        sink(0)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
