// Schedule: which thread runs next, at each point. All schedules are enumerated depth first.

/// The choices of one run, and which run is next.
///
/// Every run repeats the choices of the one before up to the last that has an alternative, as in CHESS (Musuvathi and
/// Qadeer 2007).
package struct Schedule {
    private struct Choice {
        let options: [Int]
        var index = 0
    }

    private var choices: [Choice] = []
    private var depth = 0
    private let replayed: [Int]
    /// How often the code under test did something else after the same choices: a thread that is not explored may have
    /// come in between. Then some orders are not tried.
    package private(set) var divergenceCount = 0

    /// The choices of the run so far, for a replay.
    package var taken: [Int] { choices.prefix(depth).map { $0.options[$0.index] } }

    /// Those choices, with repeated ones counted.
    package var text: String {
        var (parts, count) = ([String](), 0)
        let taken = taken
        for (index, thread) in taken.enumerated() {
            count += 1
            guard index + 1 == taken.count || taken[index + 1] != thread else { continue }
            parts.append(count == 1 ? "\(thread)" : "\(thread)×\(count)")
            count = 0
        }
        return parts.joined(separator: " ")
    }

    /// Chooses one of these threads. The first one is tried first.
    mutating func choose(among options: [Int]) -> Int {
        guard options.count > 1 else { return options[0] }
        defer { depth += 1 }
        guard depth < choices.count else {
            let index = depth < replayed.count ? options.firstIndex(of: replayed[depth]) : 0
            choices.append(Choice(options: options, index: index ?? 0))
            return options[index ?? 0]
        }
        let choice = choices[depth]
        if choice.options != options {
            // What follows is explored from here instead.
            divergenceCount += 1
            choices.removeSubrange(depth...)
            choices.append(Choice(options: options))
            return options[0]
        }
        return choice.options[choice.index]
    }

    /// Goes on to the next run. Returns false if there is none.
    package mutating func advance() -> Bool {
        depth = 0
        while let last = choices.last, last.index + 1 == last.options.count { choices.removeLast() }
        guard !choices.isEmpty else { return false }
        choices[choices.count - 1].index += 1
        return true
    }

    /// A schedule whose first run makes these choices.
    package init(_ taken: [Int] = []) { replayed = taken }
}
