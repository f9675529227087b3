// Subject: a future, queue or lock, and the actions on it that threads perform at the same time.

import Synchronization

/// Something shared by threads, and what they may do with it. Every pair of its actions is a scenario.
///
/// The sequential model is the code itself: each part of the outcome must be one that it has if one thread performs the
/// same actions, in some order. The parts need not come from the same order, because an action may end several futures
/// one by one: another thread may cancel a consumer when its source has completed already.
struct Subject: Sendable {
    /// One of a kind, for one schedule.
    struct Instance {
        /// Each may be called more than once.
        let actions: [(name: String, perform: @Sendable () -> Void)]
        /// Completes what is pending, and returns what has become of each future, always in as many parts.
        let outcome: () -> [String]

        init(actions: KeyValuePairs<String, @Sendable () -> Void>, outcome: @escaping () -> [String]) {
            self.init(actions: actions.map { ($0.key, $0.value) }, outcome: outcome)
        }

        init(actions: [(String, @Sendable () -> Void)], outcome: @escaping () -> [String]) {
            self.actions = actions
            self.outcome = outcome
        }
    }

    let name: String
    let make: @Sendable () -> Instance

    init(_ name: String, _ make: @escaping @Sendable () -> Instance) {
        self.name = name
        self.make = make
    }

    /// A scenario for each pair of actions, and for two calls of the same one.
    var pairs: [Scenario] {
        Progress.begins(name)
        let count = make().actions.count
        return (0..<count).flatMap { a in (a..<count).map { b in scenario([a, b]) } }
    }

    /// A scenario in which three threads each perform one of these actions.
    func triple(_ names: String...) -> Scenario {
        let known = make().actions.map(\.name)
        return scenario(
            names.map { name in
                guard let index = known.firstIndex(of: name) else { fatalError("\(self.name) has no action \(name).") }
                return index
            })
    }

    func has(_ action: String) -> Bool { make().actions.contains { $0.name == action } }

    private func scenario(_ chosen: [Int]) -> Scenario {
        let (make, names, allowed) = (make, make().actions.map(\.name), Variable<[Set<String>]>())
        return Scenario("\(name): \(chosen.map { names[$0] }.joined(separator: ", "))", threads: chosen.count) {
            // First called before the exploration starts.
            if allowed.value == nil {
                let outcomes = chosen.permutations.map { outcome($0, of: make()) }
                allowed.value = outcomes[0].indices.map { part in Set(outcomes.map { $0[part] }) }
            }
            let instance = make()
            let threads = chosen.map { instance.actions[$0].perform }
            return .init(
                threads: threads,
                check: {
                    let parts = instance.outcome()
                    let areAllowed = zip(parts, allowed.value!).allSatisfy { part, allowed in allowed.contains(part) }
                    return areAllowed ? nil : "\(parts) is none of \(allowed.value!)"
                })
        }
    }
}

private func outcome(_ actions: [Int], of instance: Subject.Instance) -> [String] {
    for action in actions { instance.actions[action].perform() }
    runBlocks()
    return instance.outcome()
}

extension [Int] {
    /// All orders of the elements.
    fileprivate var permutations: [[Int]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let first = rest.remove(at: index)
            return rest.permutations.map { [first] + $0 }
        }
    }
}
