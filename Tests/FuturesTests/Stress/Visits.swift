// Visits: users of a place with a limit, with the times at which they asked, entered and left.

import Futures

/// A request to enter a place, alone or together with others, once or again after it has failed.
final class Visit: Sendable {
    let asked: Int
    let group: Int
    let isAlone: Bool
    private let moments = Shared<(waits: Int?, enters: Int?, leaves: Int?)>((nil, nil, nil))
    private let moved = Shared(false)
    /// How many use its turn: an operation, or a batch and its operations.
    fileprivate let users = AtomicCounter()

    init(asked: Int, group: Int, isAlone: Bool) {
        self.asked = asked
        self.group = group
        self.isAlone = isAlone
    }

    /// The time at which the request had been made; nil if it does not count, as that of a repeated request.
    var waits: Int? {
        get { moments.change { $0.waits } }
        set { moments.change { $0.waits = newValue } }
    }

    /// Whether its priority may change while it waits.
    var isMoved: Bool {
        get { moved.value }
        set { moved.value = newValue }
    }

    var enters: Int? { moments.change { $0.enters } }
    var leaves: Int? { moments.change { $0.leaves } }

    func enter(at moment: Int) { moments.change { ($0.enters, $0.leaves) = (moment, nil) } }

    func leave(at moment: Int) { moments.change { $0.leaves = moment } }
}

/// A place with a limit, and a limit for each group.
final class Premises: Sendable {
    private struct State {
        var inside: [Int: Int] = [:]
        var isOneAlone = false
        var visits: [Visit] = []
    }

    private let limit: Int
    private let groupLimit: Int
    private let witness: Witness
    private let state = Shared(State())

    init(_ witness: Witness, limit: Int, groupLimit: Int = .max) {
        self.witness = witness
        self.limit = limit
        self.groupLimit = groupLimit
    }

    /// Returns a visit that is about to be requested.
    func visit(group: Int = 0, isAlone: Bool = false) -> Visit {
        let visit = Visit(asked: witness.now(), group: group, isAlone: isAlone)
        state.change { $0.visits.append(visit) }
        return visit
    }

    /// Lets a visit enter. Returns a closure by which it leaves, which does nothing when it is called again.
    // A repeated visit, and the operations of a batch, may enter while an earlier entry is inside.
    func enter(_ visit: Visit) -> @Sendable () -> Void {
        visit.enter(at: witness.now())
        let isWrong = state.change { state in
            guard visit.users.up() == 1 else { return false }
            let count = state.inside.values.reduce(0, +)
            let groupCount = state.inside[visit.group, default: 0]
            defer {
                state.inside[visit.group] = groupCount + 1
                state.isOneAlone = visit.isAlone
            }
            return state.isOneAlone || visit.isAlone && count > 0 || count >= limit || groupCount >= groupLimit
        }
        if isWrong { witness.complain("too many") }
        // The second of two threads that end the same entry returns when it has ended, and lets the next visit enter.
        return Ending { [self] in
            visit.leave(at: witness.now())
            state.change {
                visit.users.down()
                guard visit.users.value == 0 else { return }
                $0.inside[visit.group]! -= 1
                $0.isOneAlone = false
            }
        }.end
    }

    var isEmpty: Bool { state.change { $0.inside.values.allSatisfy { $0 == 0 } } }

    /// Checks that no visit has overtaken an earlier one of its group, if the two exclude each other.
    func checkOrder() {
        let visits = state.change { $0.visits }
        for visit in visits {
            guard let waits = visit.waits, let enters = visit.enters else { continue }
            for other in visits where other.asked > waits && other.group == visit.group && !other.isMoved {
                guard let entersOther = other.enters, entersOther < enters else { continue }
                if min(limit, groupLimit) == 1 || visit.isAlone || other.isAlone {
                    witness.complain("not in the order in which they came")
                }
            }
        }
    }

    /// Checks that no visit has been inside, or on its way, for the whole time since `start`.
    func checkEmptiness(since start: Int) {
        let now = witness.now()
        let isWrong = state.change { $0.visits }.contains { visit in
            guard let waits = visit.waits, visit.enters != nil, waits < start else { return false }
            return visit.leaves.map { $0 > now } ?? true
        }
        if isWrong { witness.complain("it is said to be empty, and is not") }
    }
}
