// Runner: measures a row's contestants in turns.

/// Measures a row's contestants in turns, one short slice of time each, many times over.
///
/// Whatever disturbs the machine disturbs all of them, so that the ratio of two slices of the same round says more
/// than the ratio of two averages. The median over the rounds is reported, and the spread beside it.
struct Runner {
    /// How long to measure.
    struct Effort: Sendable {
        /// How often everybody's turn comes.
        let rounds: Int
        /// How long a turn is, at least. Shorter than what a system gives a thread at a time, so that most turns are
        /// not interrupted; much longer than asking for the time.
        let slice: Double
        /// How long a row may take all in all, before only the fewest rounds are made.
        let patience: Double

        static let quick = Effort(rounds: 15, slice: 1e6, patience: 1e9)
        static let full = Effort(rounds: 61, slice: 3e6, patience: 8e9)
        /// Even where patience is over: less has no median.
        static let fewestRounds = 3
    }

    let effort: Effort

    /// Measures all contestants of a row.
    func measure(_ row: Row) -> Finding {
        let passes = row.contestants.map { row.isOnePass ? 1 : calibrate($0, in: row) }
        if row.isOnePass { warmUp(row) }
        var turns: [[Turn]] = row.contestants.map { _ in [] }
        let start = Clock.wall.now()
        for round in 0..<effort.rounds {
            // Everybody begins a round now and then: being first, or following somebody, may matter.
            for turn in row.contestants.indices {
                let index = (turn + round) % row.contestants.count
                turns[index].append(take(row.contestants[index], passes[index], in: row))
            }
            if Clock.wall.now() - start > effort.patience, round + 1 >= Effort.fewestRounds { break }
        }
        let results = zip(row.contestants, turns).map { Finding.Result(side: $0.side, turns: $1) }
        return Finding(row: row, results: results)
    }

    /// How many passes fill a slice. This is the warming up, too.
    private func calibrate(_ contestant: Contestant, in row: Row) -> Int {
        var passes = 1
        var before = Double.infinity
        while true {
            // The quickest of three, else one interruption would end the search before it has begun.
            let each = (0..<3).map { _ in take(contestant, passes, in: row).nanoseconds }.min()!
            let all = each * Double(passes * row.operations)
            // Where more passes are cheaper each, what is measured is how to begin, such as a task's start.
            if all >= effort.slice, each > before * 0.8 { return passes }
            // Towards the slice, but by no more than a factor of ten: the first passes are slow.
            let wanted = Int(Double(passes) * effort.slice * 1.1 / max(all, 1))
            passes = max(all >= effort.slice ? passes * 2 : passes + 1, min(passes * 10, wanted))
            before = each
        }
    }

    /// Long passes have the first one for free, unless they take seconds.
    private func warmUp(_ row: Row) {
        guard !row.isLong else { return }
        for contestant in row.contestants { contestant.run(1) }
    }

    private func take(_ contestant: Contestant, _ passes: Int, in row: Row) -> Turn {
        Growth.begin()
        let count = Allocations.count
        let start = contestant.clock.now()
        contestant.run(passes)
        let nanoseconds = contestant.clock.now() - start
        let mallocs = Allocations.count.flatMap { now in count.map { Double(now - $0) } }
        let operations = Double(passes * row.operations)
        return Turn(
            nanoseconds: nanoseconds / operations, mallocs: mallocs.map { $0 / operations },
            growth: Growth.bytes)
    }
}

/// What one turn of a contestant has cost, per operation.
struct Turn {
    let nanoseconds: Double
    let mallocs: Double?
    /// The most bytes held on the way, for the workloads that look.
    let growth: Int64?
}
