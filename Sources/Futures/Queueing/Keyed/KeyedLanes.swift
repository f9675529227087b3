// KeyedLanes: the lanes of a queue with keys, and which of them has the next turn.

/// The lanes of a queue with keys. Those of which an operation may start have their turns one after the other.
///
/// It knows the lanes, but not the type of their keys.
struct KeyedLanes {
    /// The lanes in which something waits or runs.
    private(set) var table = KeyTable<Lane>()
    /// The lanes of which one waits that only the queue's own limit keeps from starting.
    private var ready = ReadyLanes()

    var hasReady: Bool { !ready.isEmpty }

    var all: [Lane] { table.all }

    /// An operation comes into a lane.
    mutating func enter(_ lane: Lane) {
        if !lane.isPresent { table.insert(lane) }
    }

    /// Takes out the next operation of the lane that has the next turn, and gives it that; nil if no lane is ready.
    mutating func beginNext(limit: Int) -> LineNode? {
        guard let lane = ready.takeFirst() else { return nil }
        let node = lane.state.beginNext(isAlone: true)
        // Behind the others, so that no key keeps all turns for itself.
        update(lane, limit: limit)
        return node
    }

    /// Puts a lane where it belongs after something has left or joined it. The caller keeps the lane until the lock is
    /// given back.
    mutating func update(_ lane: Lane, limit: Int) {
        let isWaiting = lane.state.isWaiting
        if !isWaiting, lane.state.turns == 0, lane.isPresent { _ = table.remove(lane) }
        let isReady = isWaiting && lane.state.turns < limit
        guard isReady != lane.isListed else { return }
        if isReady { ready.append(lane) } else { ready.remove(lane) }
    }
}

/// The lane of a key. A subclass has the key, and so is in the client's module.
// Safe to share: the queue's lock guards all of it. Tested by `KeyedFutureQueueTests`, under the thread sanitizer.
@usableFromInline
class Lane: KeyEntry, @unchecked Sendable {
    @exclusivity(unchecked) final var state = LaneState()

    /// Its place among the lanes that are ready.
    @exclusivity(unchecked) fileprivate final var isListed = false
    @exclusivity(unchecked) fileprivate final var next: Lane?
    @exclusivity(unchecked) fileprivate final unowned(unsafe) var previous: Lane?

    /// Compares the keys, without a lock. The other one is of the same queue.
    @usableFromInline
    func hasKey(of other: Lane) -> Bool { fatalError("A lane has a key. This is a fault of the library.") }
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
    override func hasKey(of other: Lane) -> Bool { unsafeDowncast(other, to: KeyedLane.self).key == key }
}

/// The lanes that are ready, first in, first out; any can leave in O(1).
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

extension Line {
    /// The lane of a key, which may be one that no operation is in.
    // The type of the key occurs only here, which is inlinable: see `Line`.
    @inlinable
    func lane<Key: Hashable & Sendable>(of key: Key) -> Lane {
        let hash = key.hashValue
        // All lanes of a queue are of this type: its keys are.
        return lane(hash: hash) { unsafeDowncast($0, to: KeyedLane<Key>.self).key == key } ?? KeyedLane(key, hash: hash)
    }

    @usableFromInline
    func lane(hash: Int, where isEqual: (Lane) -> Bool) -> Lane? {
        state.withLock { $0.keyed.table.entry(hash, where: isEqual) }
    }

    var keyCount: Int { state.withLock { $0.keyed.table.count } }
}
