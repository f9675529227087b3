// PoolState: the resources that are idle, and those that are lent.

/// What becomes of a resource that is given back.
// Not generic: each operation of a pool returns it, and code of another module would ask the runtime for its type.
enum PoolReturn {
    /// It is idle. A timer has to be started if `startsTimer`.
    case idle(startsTimer: Bool)
    /// It was assigned to an operation that waits: call `takeAssigned`.
    case assigned
}

/// A request for a resource, of an operation that has its turn.
// Not generic, for the same reason. Safe to share: it has no properties.
class PoolAsker: @unchecked Sendable {}

/// A pure state machine: which resource the next operation gets, and which resources have expired. It calls nothing.
///
/// The line limits how many operations have a resource: only one with a turn asks for one. If none is idle, it waits, in
/// order, until one is given back or another one may be created. So no resource is idle while an operation waits.
struct PoolState<Resource> {
    private struct Idle {
        let resource: Resource
        /// Whether it was idle at the last tick already.
        var isOld = false
    }

    private var idle: [Idle] = []
    private var lent: [ObjectIdentifier: Resource] = [:]
    /// Those that have turns, so there are fewer than the line's limit.
    private var waiting: [PoolAsker] = []
    /// Until they are handed over, at once.
    private var assigned: [(Resource, PoolAsker)] = []
    private let expires: Bool
    private var isTicking = false

    init(expires: Bool) { self.expires = expires }

    var idleCount: Int { idle.count }

    /// Takes out the resource that was used last. If there is none, `asker` waits, and nil is returned.
    mutating func take(for asker: PoolAsker) -> Resource? {
        if let last = idle.popLast() { return last.resource }
        waiting.append(asker)
        return nil
    }

    /// Returns whether `asker` was waiting until now.
    mutating func stopWaiting(_ asker: PoolAsker) -> Bool {
        guard let index = waiting.firstIndex(where: { $0 === asker }) else { return false }
        waiting.remove(at: index)
        return true
    }

    func isWaiting(_ asker: PoolAsker) -> Bool { waiting.contains { $0 === asker } }

    /// Lends the resource that was used last to a borrower that gives it back by its identity; nil if there is none.
    mutating func lend(to borrower: ObjectIdentifier) -> Resource? {
        guard let resource = idle.popLast()?.resource else { return nil }
        lent[borrower] = resource
        return resource
    }

    /// Gives back the resource that was lent to a borrower, if there is one.
    mutating func takeBack(from borrower: ObjectIdentifier) -> PoolReturn {
        lent.removeValue(forKey: borrower).map { giveBack($0) } ?? .idle(startsTimer: false)
    }

    /// Assigns a resource to the first operation that waits, or stores it for the next one.
    mutating func giveBack(_ resource: Resource) -> PoolReturn {
        if !waiting.isEmpty {
            assigned.append((resource, waiting.removeFirst()))
            return .assigned
        }
        idle.append(Idle(resource: resource))
        defer { isTicking = isTicking || expires }
        return .idle(startsTimer: expires && !isTicking)
    }

    /// Takes out a resource that was assigned to an operation.
    mutating func takeAssigned() -> (Resource, PoolAsker)? { assigned.isEmpty ? nil : assigned.removeFirst() }

    /// Takes out the resources that have been idle since the last tick, to be closed. The timer has to be started again
    /// if others are idle.
    mutating func tick() -> (expired: [Resource], ticks: Bool) {
        let expired = idle.prefix { $0.isOld }.map(\.resource)
        idle.removeFirst(expired.count)
        for index in idle.indices { idle[index].isOld = true }
        isTicking = !idle.isEmpty
        return (expired, isTicking)
    }

    /// Takes out all idle resources, to be closed.
    mutating func takeAll() -> [Resource] {
        defer { idle = [] }
        return idle.map(\.resource)
    }
}
