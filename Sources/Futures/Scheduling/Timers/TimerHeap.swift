// TimerHeap: jobs ordered by their deadlines.

/// A priority queue of jobs by deadline; jobs with the same deadline are in the order of insertion.
///
/// It is a 4-ary heap, because most timers are inserted behind all others and removed before their deadline, and the
/// way up is shorter in a wide heap. Each job stores its index, so inserting and removing take O(log n).
///
/// It retains its jobs, and neither calls nor releases anything of the user's.
// `Unmanaged`, as moving strong references costs an atomic retain and release for each level. A slot owns one
// reference: `insert` creates it, `remove` releases it, and `popFirst` hands it over. Tested by `TimerHeapTests`.
package struct TimerHeap {
    private struct Slot {
        let deadline: Tick
        let order: UInt64
        let job: Unmanaged<DelayedJob>

        func precedes(_ other: Slot) -> Bool {
            deadline < other.deadline || (deadline == other.deadline && order < other.order)
        }
    }

    private static let childCount = 4

    private var slots: [Slot] = []
    private var lastOrder: UInt64 = 0

    package init() {}

    package var count: Int { slots.count }

    /// The earliest deadline, if there is a job.
    package var firstDeadline: Tick? { slots.first?.deadline }

    /// Inserts a job that is in no heap. Takes O(log n).
    package mutating func insert(_ job: DelayedJob, at deadline: Tick) {
        lastOrder += 1
        let slot = Slot(deadline: deadline, order: lastOrder, job: .passRetained(job))
        slots.append(slot)
        rise(slot, from: slots.count - 1)
    }

    /// Removes a job in O(log n). Returns false if it is not in this heap. The caller must have a reference to it.
    package mutating func remove(_ job: DelayedJob) -> Bool {
        guard job.place >= 0 else { return false }
        takeOut(at: job.place).release()
        return true
    }

    /// Removes the first job if its deadline is `end` or earlier, in O(log n).
    package mutating func popFirst(until end: Tick) -> DelayedJob? {
        guard let first = slots.first, first.deadline <= end else { return nil }
        return takeOut(at: 0).takeRetainedValue()
    }
}

extension TimerHeap {
    private mutating func takeOut(at index: Int) -> Unmanaged<DelayedJob> {
        let removed = slots[index]
        let last = slots.removeLast()
        if index < slots.count {
            // The last job moves to the free place, and from there to where it belongs.
            if index > 0, last.precedes(slots[(index - 1) / Self.childCount]) {
                rise(last, from: index)
            } else {
                sink(last, from: index)
            }
        }
        removed.job._withUnsafeGuaranteedRef { $0.place = -1 }
        return removed.job
    }

    private mutating func rise(_ slot: Slot, from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / Self.childCount
            guard slot.precedes(slots[parent]) else { break }
            put(slots[parent], at: index)
            index = parent
        }
        put(slot, at: index)
    }

    private mutating func sink(_ slot: Slot, from start: Int) {
        var index = start
        while true {
            let child = index * Self.childCount + 1
            guard child < slots.count else { break }
            var least = child
            for other in child + 1..<max(child + 1, min(child + Self.childCount, slots.count))
            where slots[other].precedes(slots[least]) {
                least = other
            }
            guard slots[least].precedes(slot) else { break }
            put(slots[least], at: index)
            index = least
        }
        put(slot, at: index)
    }

    private mutating func put(_ slot: Slot, at index: Int) {
        slots[index] = slot
        slot.job._withUnsafeGuaranteedRef { $0.place = index }
    }
}
