// LaneOrder: a line for each key, which take turns.

/// A line for each key, first in, first out; those that may go on have their turns one after the other.
///
/// It knows the lines, not the type of their keys.
struct LaneOrder: WaitingOrder {
    /// The lines in which something waits or runs.
    private(set) var table = KeyTable()
    /// The lines of which one waits that only the queue's own limit keeps from beginning.
    private var ready = ReadyLanes()
    private(set) var count = 0
    /// How many of each line may have their turn at a time.
    private let limit: Int

    init(maxConcurrentCountPerKey limit: Int) { self.limit = limit }

    var lanes: [Lane] { table.all.map { unsafeDowncast($0, to: Lane.self) } }

    /// The line in which a node waits or has its turn.
    func lane(of node: Node) -> Lane? {
        node.standing == .outside ? nil : table[node.lane].map { unsafeDowncast($0, to: Lane.self) }
    }

    var isFirstExclusive: Bool { false }

    func firstWaiting(_ lane: Lane, _ count: Int) -> [Node] { lane.waiting.prefix(count) }

    func admits(_ lane: Lane) -> Bool { ready.isEmpty && lane.turns < limit }

    mutating func begin(_ node: Node, _ lane: Lane, isKept: Bool) {
        enter(node, lane)
        lane.begin(node, isKept: isKept)
    }

    private mutating func enter(_ node: Node, _ lane: Lane) {
        if !table.contains(lane) { table.insert(lane) }
        node.lane = lane.number
    }

    mutating func add(_ node: Node, _ lane: Lane) {
        enter(node, lane)
        node.queue = ObjectIdentifier(lane)
        lane.waiting.add(node, retained: true)
        count += 1
        update(lane)
    }

    mutating func remove(_ node: Node, _ lane: Lane) -> Node {
        count -= 1
        defer { update(lane) }
        return lane.waiting.take(node)
    }

    mutating func takeNext(isAlone: Bool, isKept: Bool) -> Node? {
        guard let lane = ready.takeFirst() else { return nil }
        let node = lane.waiting.takeFirst()!
        count -= 1
        lane.begin(node, isKept: isKept)
        // Behind the others, so that no key keeps all turns for itself.
        update(lane)
        return node
    }

    mutating func forget(_ node: Node, _ lane: Lane) { lane.running.remove(node) }

    mutating func end(_ lane: Lane) {
        lane.turns -= 1
        update(lane)
    }

    mutating func takeAll(_ lane: Lane) -> [Node] {
        var nodes: [Node] = []
        lane.waiting.takeWaiting(into: &nodes)
        count -= nodes.count
        update(lane)
        return nodes
    }

    func running(_ lane: Lane) -> [Node] { lane.running.nodes }

    func forgetAll(_ lane: Lane) { lane.running = Running() }

    func runningCount(_ lane: Lane) -> Int { lane.running.count }

    func blockers(_ lane: Lane, isFull: Bool) -> [Node] {
        lane.turns >= limit && lane.running.count == lane.turns ? lane.running.nodes : []
    }

    func isOneAtATime(_ lane: Lane) -> Bool { limit == 1 }

    func isSuspicious(_ lane: Lane) -> Bool { lane.isSuspicious }

    mutating func setSuspicion(_ lane: Lane, _ isSuspicious: Bool) -> Bool {
        defer { lane.isSuspicious = isSuspicious }
        return lane.isSuspicious
    }

    /// Puts a line where it belongs after something has left or joined it. The caller keeps the line until the lock is
    /// given back.
    private mutating func update(_ lane: Lane) {
        if lane.isIdle, table.contains(lane) { _ = table.remove(lane) }
        let isReady = lane.turns < limit && !lane.waiting.isEmpty
        guard isReady != lane.isListed else { return }
        if isReady { ready.append(lane) } else { ready.remove(lane) }
    }
}

/// A key's line. A subclass has the key, and so is in the client's module.
// Safe to share: the queue's lock guards all of it. Held by `KeyedFutureQueueTests`, under the thread sanitizer.
@usableFromInline
class Lane: KeyEntry, @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var waiting = Listeners(last: Word.pending)
    @exclusivity(unchecked) fileprivate(set) var turns = 0
    @exclusivity(unchecked) fileprivate(set) var running = Running()
    fileprivate var isSuspicious = false

    /// Its place among the lines that are ready.
    @exclusivity(unchecked) fileprivate var isListed = false
    @exclusivity(unchecked) fileprivate var next: Lane?
    @exclusivity(unchecked) fileprivate unowned(unsafe) var previous: Lane?

    /// Compares the keys, without a lock. The other one is of the same queue.
    @usableFromInline
    func hasKey(of other: KeyEntry) -> Bool { fatalError("A lane has a key. This is a fault of the library.") }

    /// Whether nothing waits or runs.
    var isIdle: Bool { turns == 0 && waiting.isEmpty }

    fileprivate func begin(_ node: Node, isKept: Bool) {
        turns += 1
        if isKept { running.add(node) }
    }
}

@usableFromInline
final class KeyedLane<Key: Hashable & Sendable>: Lane, @unchecked Sendable {
    @usableFromInline let key: Key

    @inlinable
    init(_ key: Key, hash: Int) {
        self.key = key
        super.init(hash: hash)
    }

    @usableFromInline
    override func hasKey(of other: KeyEntry) -> Bool { unsafeDowncast(other, to: KeyedLane.self).key == key }
}

/// The lines that are ready, first in, first out; any can leave in O(1).
private struct ReadyLanes {
    private var first: Lane?
    private unowned(unsafe) var last: Lane?

    var isEmpty: Bool { first == nil }

    mutating func append(_ lane: Lane) {
        lane.isListed = true
        lane.previous = last
        if let last { last.next = lane } else { first = lane }
        last = lane
    }

    mutating func remove(_ lane: Lane) {
        lane.isListed = false
        let next = lane.next.take()
        next?.previous = lane.previous
        if next == nil { last = lane.previous }
        if let previous = lane.previous { previous.next = next } else { first = next }
        lane.previous = nil
    }

    mutating func takeFirst() -> Lane? {
        guard let lane = first else { return nil }
        remove(lane)
        return lane
    }
}
