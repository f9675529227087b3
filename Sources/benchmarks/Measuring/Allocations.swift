// Allocations: how often memory was asked for, and how much of it is held.

import CAllocations

/// How often memory was asked for, and how much of it is held.
enum Allocations {
    /// How often any thread has allocated, if that is counted on this system.
    static var count: Int64? {
        let count = allocations_count()
        return count == unavailable ? nil : count
    }

    /// The bytes that are allocated now.
    static var liveBytes: Int64? {
        let bytes = allocations_live_bytes()
        return bytes == unavailable ? nil : bytes
    }

    /// Gives everybody a heap in the same state to begin with.
    static func tidy() { allocations_tidy() }

    /// Waits until other threads have let go of what they let go of late, or for a fiftieth of a second.
    ///
    /// A task gives back its stack after the one who waits for it was woken. Were that counted as what the next one
    /// frees, it would hide what that one holds.
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

/// The most memory that a workload held at the moments when it asked to be looked at, and what it left behind.
///
/// A workload of which memory is the point calls `look` where it holds the most: afterwards that is gone.
enum Held {
    // Read and written by the thread that works; the runner reads it when that is done.
    private nonisolated(unsafe) static var start: Int64 = 0
    private nonisolated(unsafe) static var peak: Int64?

    /// Begins a measurement.
    static func begin() {
        start = Allocations.liveBytes ?? 0
        peak = nil
    }

    /// Has a look, at every 65 536th of a workload's steps: often enough to see growth, too seldom to cost anything.
    /// Short workloads are not looked at.
    @inline(__always)
    static func look(at step: Int) {
        if step & 0xFFFF == 0xFFFF { look() }
    }

    @inline(never)
    static func look() {
        if let bytes = Allocations.liveBytes { peak = max(peak ?? bytes, bytes) }
    }

    /// The most bytes above those at the beginning that any look has seen, or nil if there was none.
    static var most: Int64? { peak.map { $0 - start } }

    /// The bytes above those at the beginning that are still held, if anybody looked.
    static var left: Int64? {
        guard peak != nil else { return nil }
        return Allocations.liveBytes.map { $0 - start }
    }
}
