// Visits: who is where only so many may be, when they asked and when they went in and out.

import Futures

/// One who asks to come in, at most once, and to be there alone or beside others.
final class Visit: Sendable {
    let asked: Int
    let group: Int
    let isAlone: Bool
    private let moments = Guarded<(waits: Int?, enters: Int?, leaves: Int?)>((nil, nil, nil))

    init(asked: Int, group: Int, isAlone: Bool) {
        self.asked = asked
        self.group = group
        self.isAlone = isAlone
    }

    /// When the asking was over; nil if it is not to count, as one who asks twice.
    var waits: Int? {
        get { moments.with { $0.waits } }
        set { moments.with { $0.waits = newValue } }
    }

    var enters: Int? { moments.with { $0.enters } }
    var leaves: Int? { moments.with { $0.leaves } }

    var isInside: Bool { moments.with { $0.enters != nil && $0.leaves == nil } }

    func enter(at moment: Int) { moments.with { ($0.enters, $0.leaves) = (moment, nil) } }

    /// False if he has left before.
    func leave(at moment: Int) -> Bool {
        moments.with {
            guard $0.leaves == nil else { return false }
            $0.leaves = moment
            return true
        }
    }
}

/// A place for so many at a time, and for so many of each group.
final class Premises: Sendable {
    private struct State {
        var inside: [Int: Int] = [:]
        var isOneAlone = false
        var visits: [Visit] = []
    }

    private let limit: Int
    private let groupLimit: Int
    private let witness: Witness
    private let state = Guarded(State())

    init(_ witness: Witness, limit: Int, groupLimit: Int = .max) {
        self.witness = witness
        self.limit = limit
        self.groupLimit = groupLimit
    }

    /// One who is about to ask.
    func visit(group: Int = 0, isAlone: Bool = false) -> Visit {
        let visit = Visit(asked: witness.now(), group: group, isAlone: isAlone)
        state.with { $0.visits.append(visit) }
        return visit
    }

    func enter(_ visit: Visit) {
        visit.enter(at: witness.now())
        let isWrong = state.with { state in
            let count = state.inside.values.reduce(0, +)
            let groupCount = state.inside[visit.group, default: 0]
            defer {
                state.inside[visit.group] = groupCount + 1
                state.isOneAlone = visit.isAlone
            }
            return state.isOneAlone || visit.isAlone && count > 0 || count >= limit || groupCount >= groupLimit
        }
        if isWrong { witness.complain("too many") }
    }

    func leave(_ visit: Visit) {
        // In one go: two may say so, of whom the second one lets the next visitor in.
        state.with {
            guard visit.leave(at: witness.now()) else { return }
            $0.inside[visit.group]! -= 1
            $0.isOneAlone = false
        }
    }

    var isEmpty: Bool { state.with { $0.inside.values.allSatisfy { $0 == 0 } } }

    /// Looks whether nobody came in before another one of his group who had asked before he did, as far as these two
    /// may not be here together.
    func checkOrder() {
        let visits = state.with { $0.visits }
        for visit in visits {
            guard let waits = visit.waits, let enters = visit.enters else { continue }
            for other in visits where other.asked > waits && other.group == visit.group {
                guard let entersOther = other.enters, entersOther < enters else { continue }
                if min(limit, groupLimit) == 1 || visit.isAlone || other.isAlone {
                    witness.complain("not in the order in which they came")
                }
            }
        }
    }

    /// Looks whether nobody was here, or on his way, all the time from `start` on.
    func checkEmptiness(since start: Int) {
        let now = witness.now()
        let isWrong = state.with { $0.visits }.contains { visit in
            guard let waits = visit.waits, visit.enters != nil, waits < start else { return false }
            return visit.leaves.map { $0 > now } ?? true
        }
        if isWrong { witness.complain("it is said to be empty, and is not") }
    }
}
