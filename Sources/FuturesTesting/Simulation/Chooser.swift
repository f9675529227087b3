// Chooser: which job runs next.

/// Chooses which job runs next, and notes its choices.
struct Chooser: Sendable {
    enum Strategy: Sendable {
        /// These choices, then always the first job.
        case replay([Int])
        /// Any job, with the same probability.
        case random(SplitMix64)
        /// The job of the highest priority.
        case priorities(Priorities)
    }

    /// A choice: the index of the job among those that could run.
    struct Choice: Sendable {
        let index: Int
        let count: Int
    }

    private var strategy: Strategy
    /// The choices between several jobs.
    private(set) var choices: [Choice] = []

    init(_ strategy: Strategy) { self.strategy = strategy }

    /// Returns the index of one of `count` jobs with these numbers. Jobs of the same serial scheduler have the same
    /// number. Only random priorities ask for the numbers, which takes time in proportion to the number of jobs.
    mutating func choose(among count: Int, _ numbers: () -> [Int]) -> Int {
        guard count > 1 else { return 0 }
        let index: Int
        switch strategy {
        case .replay(let planned):
            index = choices.count < planned.count ? min(planned[choices.count], count - 1) : 0
        case .random(var generator):
            index = Int.random(in: 0..<count, using: &generator)
            strategy = .random(generator)
        case .priorities(var priorities):
            index = priorities.choose(among: numbers(), after: choices.count)
            strategy = .priorities(priorities)
        }
        choices.append(Choice(index: index, count: count))
        return index
    }

    /// The choices of a run that is the next one in the order of all runs. Nil after the last one.
    var next: [Int]? {
        guard let last = choices.lastIndex(where: { $0.index + 1 < $0.count }) else { return nil }
        return choices[..<last].map(\.index) + [choices[last].index + 1]
    }
}

/// Random priorities, which change at a few random steps: probabilistic concurrency testing.
///
/// It finds a bug that needs `changeCount` + 1 ordering constraints, among `n` schedulers and `k` choices, with a
/// probability of at least 1/(n k^changeCount) in each run. (S. Burckhardt et al., A randomized scheduler with
/// probabilistic guarantees of finding bugs, ASPLOS 2010.)
struct Priorities: Sendable {
    private var generator: SplitMix64
    private var priorities: [Int: UInt64] = [:]
    private var changes: [Int]

    /// `length`: about how many choices a run makes.
    init(_ generator: SplitMix64, changeCount: Int, length: Int) {
        var generator = generator
        changes = (0..<changeCount).map { _ in Int.random(in: 0..<max(length, 1), using: &generator) }
        self.generator = generator
    }

    mutating func choose(among numbers: [Int], after count: Int) -> Int {
        for number in numbers where priorities[number] == nil {
            priorities[number] = .random(in: UInt64(changes.count)...UInt64.max, using: &generator)
        }
        let best = numbers.indices.max { priorities[numbers[$0]]! < priorities[numbers[$1]]! }!
        // Below all that did not change.
        if let change = changes.firstIndex(of: count) { priorities[numbers[best]] = UInt64(change) }
        return best
    }
}

/// A random number generator: S. Vigna's SplitMix64.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
