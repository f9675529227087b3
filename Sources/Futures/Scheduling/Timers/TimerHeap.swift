// TimerHeap: jobs ordered by their deadlines.

/// A priority queue of jobs by deadline; jobs with the same deadline are in the order of insertion.
///
/// It is a 4-ary heap, because most timers are inserted behind all others and removed before their deadline, and the
/// way up is shorter in a wide heap. Each job stores its index, so all that changes the heap takes O(log n).
package struct TimerHeap {
    private struct Slot {
        let deadline: Duration
        let order: UInt64
        let job: DelayedJob
    }

    private static let childCount = 4

    private var slots: [Slot] = []
    private var lastOrder: UInt64 = 0

    package init() {}

    package var count: Int { slots.count }

    package var firstDeadline: Duration? { slots.first?.deadline }

    /// Inserts a job that is in no heap.
    package mutating func insert(_ job: DelayedJob, at deadline: Duration) {
        lastOrder += 1
        job.place = slots.count
        slots.append(Slot(deadline: deadline, order: lastOrder, job: job))
        rise(from: job.place)
    }

    /// Removes a job. Returns false if it is not in this heap.
    package mutating func remove(_ job: DelayedJob) -> Bool {
        guard job.place >= 0 else { return false }
        let place = job.place
        exchange(place, slots.count - 1)
        slots.removeLast()
        job.place = -1
        if place < slots.count {
            rise(from: place)
            sink(from: place)
        }
        return true
    }

    /// Removes the first job if its deadline is `end` or earlier.
    package mutating func popFirst(until end: Duration) -> DelayedJob? {
        guard let first = slots.first, first.deadline <= end else { return nil }
        _ = remove(first.job)
        return first.job
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, precedes(index, (index - 1) / Self.childCount) {
            exchange(index, (index - 1) / Self.childCount)
            index = (index - 1) / Self.childCount
        }
    }

    private mutating func sink(from start: Int) {
        var index = start
        while true {
            let firstChild = index * Self.childCount + 1
            let children = firstChild..<min(firstChild + Self.childCount, max(firstChild, slots.count))
            var least = index
            for child in children where precedes(child, least) { least = child }
            if least == index { return }
            exchange(index, least)
            index = least
        }
    }

    // By indices: a copy of a slot would count a reference to its job.
    private func precedes(_ a: Int, _ b: Int) -> Bool {
        let (first, second) = (slots[a].deadline, slots[b].deadline)
        return first < second || first == second && slots[a].order < slots[b].order
    }

    private mutating func exchange(_ a: Int, _ b: Int) {
        slots.swapAt(a, b)
        slots[a].job.place = a
        slots[b].job.place = b
    }
}
