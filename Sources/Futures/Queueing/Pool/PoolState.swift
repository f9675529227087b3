// PoolState: the resources that are idle, and those that are lent.

/// A pure state machine: which resource the next operation gets, and which resources have expired. It calls nothing.
///
/// The line limits how many operations have a resource: only one with a turn asks for one.
struct PoolState<Resource> {
    private struct Idle {
        let resource: Resource
        /// Whether it was idle at the last tick already.
        var isOld = false
    }

    private var idle: [Idle] = []
    private var lent: [ObjectIdentifier: Resource] = [:]
    private let expires: Bool
    private var isTicking = false

    init(expires: Bool) { self.expires = expires }

    var idleCount: Int { idle.count }

    /// Takes out the resource that was used last; nil if one has to be created.
    mutating func take() -> Resource? { idle.popLast()?.resource }

    /// Lends the resource that was used last to a borrower that gives it back by its identity; nil if there is none.
    mutating func lend(to borrower: ObjectIdentifier) -> Resource? {
        guard let resource = take() else { return nil }
        lent[borrower] = resource
        return resource
    }

    /// Stores the resource that was lent to a borrower, if there is one; returns whether a timer has to be started.
    mutating func takeBack(from borrower: ObjectIdentifier) -> Bool {
        lent.removeValue(forKey: borrower).map { giveBack($0) } ?? false
    }

    /// Stores a resource for the next operation; returns whether a timer has to be started.
    mutating func giveBack(_ resource: Resource) -> Bool {
        idle.append(Idle(resource: resource))
        defer { isTicking = isTicking || expires }
        return expires && !isTicking
    }

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
