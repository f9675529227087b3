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
    private nonisolated(unsafe) static var start: Int64 = 0
    private nonisolated(unsafe) static var peak: Int64?

    /// Starts a measurement.
    static func begin() {
        start = Allocations.liveBytes ?? 0
        peak = nil
    }

    /// Samples the memory at every 65 536th step of a workload: often enough to detect growth, and rarely enough to
    /// cost next to nothing. Shorter workloads are not sampled.
    @inline(__always)
    static func look(at step: Int) {
        if step & 0xFFFF == 0xFFFF { look() }
    }

    @inline(never)
    static func look() {
        if let bytes = Allocations.liveBytes { peak = max(peak ?? bytes, bytes) }
    }

    /// The maximum of the samples, in bytes above those at the start of the measurement; nil if there are no samples.
    static var most: Int64? { peak.map { $0 - start } }

    /// The bytes currently allocated above those at the start of the measurement, or nil if there are no samples.
    static var left: Int64? {
        guard peak != nil else { return nil }
        return Allocations.liveBytes.map { $0 - start }
    }
}
