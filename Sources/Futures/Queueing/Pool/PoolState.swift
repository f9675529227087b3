// PoolState: the resources that are idle, and those that are lent.

/// A resource, as the state of its pool sees it.
// Not generic, as everything that the state knows: otherwise a client's code asks the runtime for the types in each
// operation, which took 13,000 of 16,000 instructions. Safe to share: the pool's lock guards `isOld`.
class PooledResource: @unchecked Sendable {
    /// Its place in the pool's limit.
    let place: Turn
    /// Whether it was idle at the last tick already.
    @exclusivity(unchecked) fileprivate var isOld = false

    init(in place: Turn) { self.place = place }
}

/// A request for a resource, of an operation that has its turn.
// Safe to share: its property does not change.
class PoolAsker: @unchecked Sendable {
    let turn: Turn

    init(_ turn: Turn) { self.turn = turn }
}

/// A pure state machine: which resource the next operation gets, and which resources have expired. It calls nothing.
///
/// The line limits how many operations have a resource: only one with a turn asks for one. If none is idle, it waits, in
/// order, until one is given back or another one may be created. So no resource is idle while an operation waits.
struct PoolState {
    /// What becomes of a resource that is given back.
    enum Destination {
        /// It is idle. A timer has to be started if `startsTimer`.
        case idle(startsTimer: Bool)
        case asker(PooledResource, PoolAsker)
    }

    private var idle: [PooledResource] = []
    /// Those that have turns, so there are fewer than the line's limit.
    private var waiting: [PoolAsker] = []
    private let expires: Bool
    private var isTicking = false

    init(expires: Bool) { self.expires = expires }

    var idleCount: Int { idle.count }

    /// Takes out the resource that was used last. If there is none, `asker` waits, and nil is returned.
    mutating func take(for asker: PoolAsker) -> PooledResource? {
        if let last = idle.popLast() { return last }
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

    /// Lends the resource that was used last to an operation; nil if there is none.
    mutating func lend(to node: PoolNode) -> PooledResource? {
        node.lent = idle.popLast()
        return node.lent
    }

    /// Gives back what was lent to an operation, if anything was.
    mutating func takeBack(from node: PoolNode) -> Destination {
        node.lent.take().map { giveBack($0) } ?? .idle(startsTimer: false)
    }

    /// Hands a resource to the first operation that waits, or stores it for the next one.
    mutating func giveBack(_ resource: PooledResource) -> Destination {
        if !waiting.isEmpty { return .asker(resource, waiting.removeFirst()) }
        resource.isOld = false
        idle.append(resource)
        defer { isTicking = isTicking || expires }
        return .idle(startsTimer: expires && !isTicking)
    }

    /// Takes out the resources that have been idle since the last tick, to be closed. The timer has to be started again
    /// if others are idle.
    mutating func tick() -> (expired: [PooledResource], ticks: Bool) {
        let expired = Array(idle.prefix { $0.isOld })
        idle.removeFirst(expired.count)
        for resource in idle { resource.isOld = true }
        isTicking = !idle.isEmpty
        return (expired, isTicking)
    }

    /// Takes out all idle resources, to be closed.
    mutating func takeAll() -> [PooledResource] {
        defer { idle = [] }
        return idle
    }
}
