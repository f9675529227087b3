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

    private static let unavailable: Int64 = -1
}

/// The most memory that a workload held at the moments when it asked to be looked at.
///
/// A workload of which memory is the point calls `look` now and then from the inside: afterwards it is gone.
enum Growth {
    // Read and written by the thread that works; the runner reads it when that is done.
    private nonisolated(unsafe) static var start: Int64 = 0
    private nonisolated(unsafe) static var most: Int64?

    /// Begins a measurement.
    static func begin() {
        start = Allocations.liveBytes ?? 0
        most = nil
    }

    /// Has a look, at every 65 536th of a workload's steps: often enough to see growth, too seldom to cost anything.
    @inline(__always)
    static func look(at step: Int) {
        if step & 0xFFFF == 0 { look() }
    }

    /// The most bytes above those at the beginning that any look has seen, or nil if there was none.
    static var bytes: Int64? { most.map { $0 - start } }

    @inline(never)
    private static func look() {
        if let bytes = Allocations.liveBytes { most = max(most ?? bytes, bytes) }
    }
}
