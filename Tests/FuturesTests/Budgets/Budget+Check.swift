// Checking a budget: does the operation, and counts.

import CAllocations
import Testing

extension Budget: CustomTestStringConvertible {
    var testDescription: String { operation }
}

extension Budget {
    /// Where to look for allocations.
    enum Extent {
        /// On this thread: whatever tests run beside this one, they run on others.
        case thread
        /// In the whole process, for operations that other threads do. Nothing else must run then.
        case process

        fileprivate var count: Int64 {
            self == .thread ? allocations_count_of_this_thread() : allocations_count()
        }
    }

    /// What to say if the operation allocates more than it may; nil if it does not.
    func excess(_ extent: Extent) -> String? {
        let times = 1000
        // What is made once only, and the first growth of tables.
        run(times)
        // The least of many tries: other code can only add to it, and on a busy machine threads meet in unusual orders.
        // One in ten operations may let a table grow.
        var least = Double.infinity
        for _ in 0..<100 {
            let start = extent.count
            run(times)
            least = min(least, Double(extent.count - start) / Double(times))
            if least <= limit + 0.1 { return nil }
        }
        let why = reasons.map { "  \($0.count) \($0.why)" }.joined(separator: "\n")
        return "\(operation) (\(functions)): \(least) allocations, not \(limit):\n\(why)"
    }
}
