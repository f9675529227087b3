// Schedule: the choices of a run as text, and how they are made fewer.

/// The choices of a run, for a replay.
struct Schedule: Sendable {
    /// After these, always the first job runs.
    private(set) var choices: [Int]

    init(_ choices: [Int]) {
        self.choices = choices
        trim()
    }

    /// Creates the schedule that `text` describes.
    ///
    /// - Precondition: The text is one that `text` returns.
    init(parsing text: String, _ file: StaticString = #fileID, _ line: UInt = #line) {
        guard let schedule = Schedule(readable: text) else {
            fatalError(
                "\"\(text)\" is not a schedule. Pass the one that a Simulation.Failure prints.", file: file,
                line: line)
        }
        self = schedule
    }

    /// Creates the schedule that `text` describes, or nil if it is none.
    init?(readable text: String) {
        var choices: [Int] = []
        for part in text.split(separator: ",") {
            let numbers = part.split(separator: "x", omittingEmptySubsequences: false)
                .map { Int($0.filter { $0 != " " }) }
            guard numbers.count <= 2, let choice = numbers[0], choice >= 0,
                let count = numbers.count == 1 ? 1 : numbers[1],
                (0...Self.maxCount - choices.count).contains(count)
            else { return nil }
            choices += repeatElement(choice, count: count)
        }
        self.init(choices)
    }

    /// More than a run has, so that a mistyped schedule does not fill the memory.
    private static let maxCount = 10_000_000

    /// The choices, as in `0x3,1,0,2`.
    var text: String {
        var parts: [(choice: Int, count: Int)] = []
        for choice in choices {
            if parts.last?.choice == choice { parts[parts.count - 1].count += 1 } else { parts.append((choice, 1)) }
        }
        return parts.map { $0.count == 1 ? "\($0.choice)" : "\($0.choice)x\($0.count)" }.joined(separator: ",")
    }

    private mutating func trim() {
        while choices.last == 0 { choices.removeLast() }
    }

    /// Returns a schedule with fewer choices for which `fails` returns true as well. Asks at most `limit` times.
    func shrunk(limit: Int, _ fails: (Schedule) -> Bool) -> Schedule {
        var (best, asked) = (self, 0)
        var size = max(choices.count, 1)
        while size > 0 {
            var start = 0
            while start < best.choices.count, asked < limit {
                var choices = best.choices
                let range = start..<min(start + size, choices.count)
                start += size
                guard choices[range].contains(where: { $0 != 0 }) else { continue }
                choices.replaceSubrange(range, with: Array(repeating: 0, count: range.count))
                asked += 1
                let next = Schedule(choices)
                if fails(next) { best = next }
            }
            size /= 2
        }
        return best
    }
}
