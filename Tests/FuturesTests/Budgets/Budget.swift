// Budget: how often an operation may allocate, and why.

import CAllocations
import Testing

/// How often an operation may allocate, and why.
///
/// Closures here capture nothing and name a scheduler, unless the operation's name says otherwise: what a closure
/// captures is its writer's allocation.
struct Budget: Sendable, CustomTestStringConvertible {
    /// So many allocations for this reason.
    struct Reason: Sendable {
        let count: Int
        let why: String

        init(_ count: Int, _ why: String) {
            self.count = count
            self.why = why
        }
    }

    /// What is done.
    let operation: String
    /// Each allocation.
    let reasons: [Reason]
    /// Does it so many times.
    let run: @Sendable (_ times: Int) -> Void

    init(
        _ operation: String, _ reasons: [Reason], run: @escaping @Sendable (_ times: Int) -> Void
    ) {
        self.operation = operation
        self.reasons = reasons
        self.run = run
    }

    var testDescription: String { operation }

    /// The allocations of one operation.
    var limit: Double { Double(reasons.reduce(0) { $0 + $1.count }) }
}

extension Budget {
    /// Where to look for allocations.
    enum Extent {
        /// On this thread: whatever tests run beside this one, they run on others.
        case thread
        /// In the whole process, for operations that hop. Nothing else must run then.
        case process

        fileprivate var count: Int64 {
            self == .thread ? allocations_count_of_this_thread() : allocations_count()
        }
    }

    /// Fails the running test if the operation allocates more than it may.
    func check(_ extent: Extent, times: Int = 100) {
        // What is made once only, and the first growth of tables.
        run(times)
        // The least of some tries: others than the operation can only add to it.
        let least = (0..<10).map { _ in
            let start = extent.count
            run(times)
            return Double(extent.count - start) / Double(times)
        }.min()!
        let why = reasons.map { "  \($0.count) \($0.why)" }.joined(separator: "\n")
        let message: Comment = "\(operation): \(least) allocations, not \(limit):\n\(why)"
        // One in ten operations may let a table grow.
        #expect(least <= limit + 0.1, message)
    }
}
