// Runner: measures contestants in turns.

/// Measures the contestants of a group of rows in turns: a short slice of time for each, in many rounds.
///
/// A disturbance of the machine affects all contestants. The ratio of two slices of the same round is therefore more
/// reliable than the ratio of two averages. The median over the rounds is reported, together with the spread.
struct Runner {
    /// How long to measure.
    struct Effort: Sendable {
        let name: String
        /// The maximum number of rounds. Each contestant has one turn in each round.
        let rounds: Int
        /// The minimum length of a turn, in nanoseconds. It is shorter than the time slices of the system's scheduler,
        /// so that most turns are not interrupted, and much longer than reading the clock takes.
        let slice: Double
        /// The time limit for a group of rows, in nanoseconds. After it, only `fewestRounds` are completed.
        let maxTime: Double
        /// The minimum number of rounds, even after the time limit: the median of fewer is meaningless.
        let fewestRounds: Int

        static let quick = Effort(name: "quick", rounds: 15, slice: 1e6, maxTime: 1e9, fewestRounds: 3)
        static let full = Effort(name: "full", rounds: 61, slice: 3e6, maxTime: 6e9, fewestRounds: 5)
    }

    let effort: Effort

    private struct Entry {
        let row: Row
        let contestant: Contestant
        let passes: Int
        let memory: [Memory]
    }

    /// Measures all contestants of a group of rows: a single row or a series.
    func measure(_ rows: [Row]) -> [Finding] {
        let entries = rows.flatMap { row in
            row.contestants.map { contestant in
                let memory = row.isOnePass ? memory(of: contestant) : []
                let passes = row.isOnePass ? 1 : calibrate(contestant, in: row)
                return Entry(row: row, contestant: contestant, passes: passes, memory: memory)
            }
        }
        var turns: [[Turn]] = entries.map { _ in [] }
        let start = Clock.wall.now()
        for round in 0..<effort.rounds {
            // Each contestant starts a round now and then, because the first position may matter.
            for turn in entries.indices {
                let index = (turn + round) % entries.count
                let entry = entries[index]
                turns[index].append(take(entry.contestant, entry.passes, in: entry.row))
            }
            if Clock.wall.now() - start > effort.maxTime, round + 1 >= effort.fewestRounds { break }
        }
        var results = zip(entries, turns).map { entry, turns in
            Finding.Result(side: entry.contestant.side, turns: turns, memory: entry.memory)
        }[...]
        return rows.map { row in
            defer { results = results.dropFirst(row.contestants.count) }
            return Finding(row: row, results: Array(results.prefix(row.contestants.count)))
        }
    }

    /// Returns the memory of three passes, or nothing if the workload does not sample it.
    ///
    /// These passes are not timed: asking the C library for the bytes in use visits all of its free blocks, which takes
    /// longer than many a workload.
    private func memory(of contestant: Contestant) -> [Memory] {
        func pass() -> Memory? {
            Allocations.tidy()
            return Held.during(contestant.prepare(1), others: contestant.clock != .thread)
        }
        // The first pass is the warm-up: it creates global variables, too.
        guard pass() != nil else { return [] }
        return (0..<3).compactMap { _ in pass() }
    }

    /// Returns the number of passes that fill a slice. This also serves as the warm-up.
    private func calibrate(_ contestant: Contestant, in row: Row) -> Int {
        var passes = 1
        var before = Double.infinity
        while true {
            // The fastest of three: otherwise a single interruption could end the search too early.
            let each = (0..<3).map { _ in take(contestant, passes, in: row).nanoseconds }.min()!
            let all = each * Double(passes * row.operations)
            // While a pass still gets cheaper with their number, a fixed cost dominates, such as starting a task.
            if all >= effort.slice, each > before * 0.8 { return passes }
            // A workload that the compiler has optimized away would never fill a slice.
            if passes >= 1_000_000_000 { return passes }
            // Approaches the slice by at most a factor of ten at a time: the first passes are slow.
            let wanted = Int(Double(passes) * effort.slice * 1.1 / max(all, 1))
            passes = max(all >= effort.slice ? passes * 2 : passes + 1, min(passes * 10, wanted))
            before = each
        }
    }

    private func take(_ contestant: Contestant, _ passes: Int, in row: Row) -> Turn {
        Processors.sharing(if: row.sharesProcessor) { turn(of: contestant, passes, in: row) }
    }

    private func turn(of contestant: Contestant, _ passes: Int, in row: Row) -> Turn {
        Allocations.tidy()
        let work = contestant.prepare(passes)
        let count = Allocations.count
        let start = contestant.clock.now()
        work()
        let nanoseconds = contestant.clock.now() - start
        let mallocs = Allocations.count.flatMap { now in count.map { Double(now - $0) } }
        let operations = Double(passes * row.operations)
        if row.isOnePass, contestant.clock != .thread { Allocations.waitForOthers() }
        return Turn(nanoseconds: nanoseconds / operations, mallocs: mallocs.map { $0 / operations })
    }
}
