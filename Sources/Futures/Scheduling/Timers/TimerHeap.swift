// TimerHeap: jobs by their deadlines, the first one on top.

/// Jobs by their deadlines; those with the same deadline in the order in which they were inserted.
///
/// A heap with four children to a node, as wide ones have shorter ways up: most timers are inserted behind all others,
/// and removed before their time. Each job knows its index, so that it is removed in O(log n).
///
/// It retains its jobs, and calls and releases nothing of users.
// `Unmanaged`, as moving strong references costs an atomic retain and release for each level. A slot owns one reference:
// `insert` takes it, `remove` releases it and `popFirst` hands it over. Held by `TimerHeapTests`.
package struct TimerHeap {
    private struct Slot {
        let deadline: ContinuousClock.Instant
        let order: UInt64
        let job: Unmanaged<DelayedJob>

        func precedes(_ other: Slot) -> Bool {
            deadline < other.deadline || (deadline == other.deadline && order < other.order)
        }
    }

    private static let childCount = 4

    /// Up to this capacity, memory is kept when jobs leave.
    private static let keptCapacity = 1024

    private var slots: [Slot] = []
    private var lastOrder: UInt64 = 0

    package init() {}

    package var count: Int { slots.count }

    /// The earliest deadline, if there is a job.
    package var firstDeadline: ContinuousClock.Instant? { slots.first?.deadline }

    /// Adds a job that is in no heap.
    package mutating func insert(_ job: DelayedJob, at deadline: ContinuousClock.Instant) {
        lastOrder += 1
        let slot = Slot(deadline: deadline, order: lastOrder, job: .passRetained(job))
        slots.append(slot)
        rise(slot, from: slots.count - 1)
    }

    /// Takes a job out; false if it is not in here. The caller has a reference to it.
    package mutating func remove(_ job: DelayedJob) -> Bool {
        guard job.place >= 0 else { return false }
        takeOut(at: job.place).release()
        return true
    }

    /// Takes the first job out if its deadline is `end` or earlier. The caller has to release it.
    package mutating func popFirst(until end: ContinuousClock.Instant) -> Unmanaged<DelayedJob>? {
        guard let first = slots.first, first.deadline <= end else { return nil }
        return takeOut(at: 0)
    }
}

extension TimerHeap {
    private mutating func takeOut(at index: Int) -> Unmanaged<DelayedJob> {
        let removed = slots[index]
        let last = slots.removeLast()
        if index < slots.count {
            // The last one goes to the free place, and from there to where it belongs.
            if index > 0, last.precedes(slots[(index - 1) / Self.childCount]) {
                rise(last, from: index)
            } else {
                sink(last, from: index)
            }
        }
        removed.job._withUnsafeGuaranteedRef { $0.place = -1 }
        shrink()
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

    /// Gives memory back once most of it is unused.
    private mutating func shrink() {
        guard slots.capacity > Self.keptCapacity, slots.count < slots.capacity / 8 else { return }
        var smaller: [Slot] = []
        smaller.reserveCapacity(slots.count * 2)
        smaller.append(contentsOf: slots)
        slots = smaller
    }
}
