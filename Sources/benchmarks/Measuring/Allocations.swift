// Allocations: the number of allocations, and the bytes in use.

import CAllocations

/// The number of allocations of the process, and the bytes in use.
enum Allocations {
    /// The number of allocations on all threads so far, or nil if they are not counted on this system.
    static var count: Int64? {
        let count = allocations_count()
        return count == unavailable ? nil : count
    }

    /// The number of bytes that are currently allocated, or nil if they are not counted on this system.
    static var liveBytes: Int64? {
        let bytes = allocations_live_bytes()
        return bytes == unavailable ? nil : bytes
    }

    /// Coalesces freed blocks where possible, so that each measurement starts with the heap in the same state.
    static func tidy() { allocations_tidy() }

    /// Waits until other threads have stopped allocating and freeing memory, for at most 20 pauses of a millisecond.
    ///
    /// A task frees its stack after the thread that waits for it has been woken. If that counted as freed by the next
    /// measurement, it would hide memory that the next one holds.
    static func waitForOthers() {
        var before = liveBytes
        for _ in 0..<20 {
            Clock.pause()
            let now = liveBytes
            if now == before { return }
            before = now
        }
    }

    private static let unavailable: Int64 = -1
}

/// The peak of the memory that a workload holds, as sampled by `look`, and the memory that it leaves behind.
///
/// A workload that is about memory calls `look` where it holds the most, because it has released that when it ends.
enum Held {
    // Accessed by the thread that runs the workload, and before and after that by the runner.
    private(set) nonisolated(unsafe) static var isSampling = false
    private nonisolated(unsafe) static var peak: Int64?

    /// Calls `work` and returns its memory, in bytes above those in use before, or nil if it has taken no samples.
    ///
    /// - Parameter others: Whether to wait until other threads have freed their memory, too.
    static func during(_ work: () -> Void, others: Bool) -> Memory? {
        let start = Allocations.liveBytes ?? 0
        peak = nil
        isSampling = true
        work()
        isSampling = false
        guard let peak else { return nil }
        if others { Allocations.waitForOthers() }
        return Memory(held: peak - start, left: (Allocations.liveBytes ?? start) - start)
    }

    /// Samples the memory at every 65 536th step of a workload: often enough to detect growth. Shorter workloads are
    /// not sampled.
    @inline(__always)
    static func look(at step: Int) {
        if step & 0xFFFF == 0xFFFF { look() }
    }

    /// Samples the memory, unless the workload is being timed.
    @inline(never)
    static func look() {
        guard isSampling, let bytes = Allocations.liveBytes else { return }
        peak = max(peak ?? bytes, bytes)
    }
}
