// PoolState: the resources that nobody uses, and those that are lent.

/// A pure state machine: which resource the next one gets, and which are not needed any more. It calls nothing.
///
/// How many there are is the business of the line before it: who has no turn asks for none.
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

    /// The resource that was used last; nil if one has to be made.
    mutating func take() -> Resource? { idle.popLast()?.resource }

    /// The same, for a borrower that gives it back by its name.
    mutating func lend(to borrower: ObjectIdentifier) -> Resource? {
        guard let resource = take() else { return nil }
        lent[borrower] = resource
        return resource
    }

    /// Keeps what was lent, if anything was; true if a timer has to be started.
    mutating func takeBack(from borrower: ObjectIdentifier) -> Bool {
        lent.removeValue(forKey: borrower).map { giveBack($0) } ?? false
    }

    /// Keeps a resource for the next one; true if a timer has to be started.
    mutating func giveBack(_ resource: Resource) -> Bool {
        idle.append(Idle(resource: resource))
        defer { isTicking = isTicking || expires }
        return expires && !isTicking
    }

    /// The time has passed after which nobody has used what was idle the last time: that is to be closed. The timer has
    /// to be started again if others are idle.
    mutating func tick() -> (expired: [Resource], ticks: Bool) {
        let expired = idle.prefix { $0.isOld }.map(\.resource)
        idle.removeFirst(expired.count)
        for index in idle.indices { idle[index].isOld = true }
        isTicking = !idle.isEmpty
        return (expired, isTicking)
    }

    /// Takes out all, to be closed.
    mutating func takeAll() -> [Resource] {
        defer { idle = [] }
        return idle.map(\.resource)
    }
}
