// Checking a budget: runs the operation and counts its allocations.

import CAllocations
import Testing

extension Budget: CustomTestStringConvertible {
    var testDescription: String { operation }
}

extension Budget {
    enum Extent {
        /// On this thread, so that tests on other threads do not matter.
        case thread
        /// In the whole process, for operations that run on other threads. Nothing else may run meanwhile.
        case process

        fileprivate var count: Int64 { self == .thread ? allocations_count_of_this_thread() : allocations_count() }
    }

    /// Returns a message if the operation allocates more than its budget, or nil.
    func excess(_ extent: Extent) -> String? {
        // Excludes one-time allocations and the first growth of tables.
        run(1000)
        // The minimum of many attempts: other code can only add allocations, and on a busy machine threads interleave
        // in unusual orders. So most attempts are short enough for one time slice of a thread. One in ten operations
        // may grow a table.
        var least = Double.infinity
        for attempt in 0..<500 {
            let times = attempt < 20 ? 1000 : 100
            let start = extent.count
            run(times)
            least = min(least, Double(extent.count - start) / Double(times))
            if least <= limit + 0.1 { return nil }
        }
        let why = reasons.map { "  \($0.count) \($0.why)" }.joined(separator: "\n")
        return "\(operation) (\(functions)): \(least) allocations, not \(limit):\n\(why)"
    }
}
