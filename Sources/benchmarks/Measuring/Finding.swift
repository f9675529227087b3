// Finding: what was measured of a row.

/// What was measured of a row.
struct Finding: Sendable {
    /// What was measured of one contestant.
    struct Result: Sendable {
        let side: Side
        let turns: [Turn]

        var nanoseconds: Samples { Samples(turns.map(\.nanoseconds)) }

        /// The least of all rounds: others than the workload can only add to it.
        var mallocs: Double? { turns.compactMap(\.mallocs).min() }

        /// The most of all rounds, on the way.
        var held: Int64? { turns.compactMap(\.held).max() }

        /// In half of the rounds: a leak is in all of them. Less than nothing is what others have let go of.
        var left: Int64? {
            let left = turns.compactMap(\.left)
            return left.isEmpty ? nil : max(0, left.sorted()[left.count / 2])
        }
    }

    let row: Row
    let results: [Result]

    /// Our own result.
    var ours: Result? { result(of: .futures) }

    func result(of side: Side) -> Result? { results.first { $0.side == side } }

    /// How many times as long as somebody else ours takes, round by round.
    func ratio(to side: Side) -> Samples? {
        guard side != .futures, let ours, let other = result(of: side) else { return nil }
        return ours.ratio(to: other)
    }

    /// What the rule costs of which this is the price: nanoseconds, round by round, and mallocs.
    var price: (nanoseconds: Samples, mallocs: Double?)? {
        guard let price = row.price, let with = result(of: price.with), let without = result(of: price.without)
        else { return nil }
        let nanoseconds = zip(with.turns, without.turns).map { $0.nanoseconds - $1.nanoseconds }
        let mallocs = with.mallocs.flatMap { more in without.mallocs.map { more - $0 } }
        return (Samples(nanoseconds), mallocs)
    }
}

extension Finding.Result {
    /// How many times as long as `other` this takes, round by round.
    func ratio(to other: Self) -> Samples {
        Samples(zip(turns, other.turns).map { $0.nanoseconds / $1.nanoseconds })
    }
}

/// What one turn of a contestant has cost, per operation.
struct Turn: Sendable {
    let nanoseconds: Double
    var mallocs: Double?
    /// The most bytes held on the way, for the workloads that look.
    var held: Int64?
    /// The bytes held afterwards, for the same.
    var left: Int64?
}
