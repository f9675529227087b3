// Finding: what was measured of a row.

/// What was measured of a row.
struct Finding {
    /// What was measured of one contestant.
    struct Result {
        let side: Side
        let turns: [Turn]

        var nanoseconds: Samples { Samples(turns.map(\.nanoseconds)) }

        /// The least of all rounds: others than the workload can only add to it.
        var mallocs: Double? { turns.compactMap(\.mallocs).min() }

        /// The most of all rounds.
        var growth: Int64? { turns.compactMap(\.growth).max() }
    }

    let row: Row
    let results: [Result]

    /// Our own result.
    var ours: Result? { results.first { $0.side == .futures } }

    /// How many times as long as somebody else ours takes, round by round.
    func ratio(to side: Side) -> Samples? {
        guard side != .futures, let ours, let other = results.first(where: { $0.side == side }) else {
            return nil
        }
        return Samples(zip(ours.turns, other.turns).map { $0.nanoseconds / $1.nanoseconds })
    }
}
