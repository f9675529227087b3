// Runner: measures contestants in turns.

/// Measures the contestants of some rows in turns, one short slice of time each, many times over.
///
/// Whatever disturbs the machine disturbs all of them, so that the ratio of two slices of the same round says more
/// than the ratio of two averages. The median over the rounds is reported, and the spread beside it.
struct Runner {
    /// How long to measure.
    struct Effort: Sendable {
        let name: String
        /// How often everybody's turn comes.
        let rounds: Int
        /// How long a turn is, at least. Shorter than what a system gives a thread at a time, so that most turns are
        /// not interrupted; much longer than asking for the time.
        let slice: Double
        /// How long the rows may take all in all, before only the fewest rounds are made.
        let patience: Double
        /// Even where patience is over: less has no median.
        let fewestRounds: Int

        static let quick = Effort(name: "quick", rounds: 15, slice: 1e6, patience: 1e9, fewestRounds: 3)
        static let full = Effort(name: "full", rounds: 61, slice: 3e6, patience: 6e9, fewestRounds: 5)
    }

    let effort: Effort

    private struct Entry {
        let row: Row
        let contestant: Contestant
        let passes: Int
    }

    /// Measures all contestants of some rows: one row, or a series.
    func measure(_ rows: [Row]) -> [Finding] {
        let entries = rows.flatMap { row in
            row.contestants.map { contestant in
                if row.isOnePass, !row.isLong { contestant.prepare(1)() }
                let passes = row.isOnePass ? 1 : calibrate(contestant, in: row)
                return Entry(row: row, contestant: contestant, passes: passes)
            }
        }
        var turns: [[Turn]] = entries.map { _ in [] }
        let start = Clock.wall.now()
        for round in 0..<effort.rounds {
            // Everybody begins a round now and then: being first, or following somebody, may matter.
            for turn in entries.indices {
                let index = (turn + round) % entries.count
                let entry = entries[index]
                turns[index].append(take(entry.contestant, entry.passes, in: entry.row))
            }
            if Clock.wall.now() - start > effort.patience, round + 1 >= effort.fewestRounds { break }
        }
        var results = zip(entries, turns).map { Finding.Result(side: $0.contestant.side, turns: $1) }[...]
        return rows.map { row in
            defer { results = results.dropFirst(row.contestants.count) }
            return Finding(row: row, results: Array(results.prefix(row.contestants.count)))
        }
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
            // What the compiler has left nothing of would never fill one.
            if passes >= 1_000_000_000 { return passes }
            // Towards the slice, but by no more than a factor of ten: the first passes are slow.
            let wanted = Int(Double(passes) * effort.slice * 1.1 / max(all, 1))
            passes = max(all >= effort.slice ? passes * 2 : passes + 1, min(passes * 10, wanted))
            before = each
        }
    }

    private func take(_ contestant: Contestant, _ passes: Int, in row: Row) -> Turn {
        Allocations.tidy()
        Held.begin()
        let work = contestant.prepare(passes)
        let count = Allocations.count
        let start = contestant.clock.now()
        work()
        let nanoseconds = contestant.clock.now() - start
        let mallocs = Allocations.count.flatMap { now in count.map { Double(now - $0) } }
        let operations = Double(passes * row.operations)
        if row.isOnePass, !contestant.side.staysOnItsThread { Allocations.waitForOthers() }
        return Turn(
            nanoseconds: nanoseconds / operations, mallocs: mallocs.map { $0 / operations },
            held: Held.most, left: Held.left)
    }
}
