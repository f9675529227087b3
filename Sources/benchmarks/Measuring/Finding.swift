// Finding: the measurements of a row.

/// The measurements of a row.
struct Finding: Sendable {
    /// The measurements of one contestant.
    struct Result: Sendable {
        let side: Side
        let turns: [Turn]
        /// The memory of passes that were not timed; empty for workloads that do not sample it.
        var memory: [Memory] = []

        var nanoseconds: Samples { Samples(turns.map(\.nanoseconds)) }

        /// The minimum number of allocations in any round: activity outside of the workload can only add to it.
        var mallocs: Double? { turns.compactMap(\.mallocs).min() }

        /// The maximum of the bytes held during any pass.
        var held: Int64? { memory.map(\.held).max() }

        /// The median of the bytes left behind: a leak occurs in all passes. A negative median counts as zero, because
        /// it comes from memory that was allocated before.
        var left: Int64? {
            memory.isEmpty ? nil : max(0, memory.map(\.left).sorted()[memory.count / 2])
        }
    }

    let row: Row
    let results: [Result]

    /// The result of Futures.
    var ours: Result? { result(of: .futures) }

    func result(of side: Side) -> Result? { results.first { $0.side == side } }

    /// Returns the time of Futures divided by that of `side`, round by round, or nil if `side` is Futures or either was
    /// not measured.
    func ratio(to side: Side) -> Samples? {
        guard side != .futures, let ours, let other = result(of: side) else { return nil }
        return ours.ratio(to: other)
    }
}

extension Finding.Result {
    /// Returns the time of this result divided by that of `other`, round by round.
    func ratio(to other: Self) -> Samples {
        Samples(zip(turns, other.turns).map { $0.nanoseconds / $1.nanoseconds })
    }
}

/// The measurements of one turn of a contestant. Time and allocations are per operation.
struct Turn: Sendable {
    let nanoseconds: Double
    var mallocs: Double?
}

/// The memory of one pass of a contestant.
struct Memory: Sendable {
    /// The maximum of the bytes held during the pass.
    let held: Int64
    /// The bytes held after the pass.
    let left: Int64
}
