// Agenda: what waits for its time.

internal import Futures

/// The jobs that wait, in order of time, and those of the same time in the order in which they came.
///
/// It calls and releases nothing: whoever takes a job out under a lock uses it, or lets go of it, outside.
struct Agenda {
    /// What waits, as a report shows it.
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
    /// The keys of what waits, the first one on top, and of what was removed and is still to be skipped: to look for
    /// a key in the middle of a heap would take time in proportion to its size.
    private var heap: [Key] = []
    private var lastOrder = 0

    var count: Int { waiting.count }

    /// Everything that waits, in order.
    var items: [Item] { heap.sorted().compactMap { waiting[$0.order]?.item } }

    /// Adds a job, and returns the number under which it can be removed.
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
            // Sorted keys are a heap.
            heap = heap.filter { waiting[$0.order] != nil }.sorted()
        }
        return removed.job
    }

    /// Takes out the first job that is due at `end` or before, with its time.
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
