// KeyedLanes: the lanes of a queue with keys, and which of them has the next turn.

extension LineState {
    /// The lane that has the key of `lane` now: another one may have come while that was idle.
    @inline(__always)
    func present(_ lane: Lane) -> Lane {
        lane.isPresent ? lane : table.entry(lane.hash, where: lane.hasKey(of:)) ?? lane
    }

    /// An operation comes into a lane.
    @inline(__always)
    mutating func enter(_ lane: Lane?) {
        guard let lane, !lane.isPresent else { return }
        if let rate = limits.ratePerKey, lane.tokens == nil { lane.tokens = RateTokens(rate, at: now) }
        table.insert(lane)
    }

    /// Whether the rate of a key lets another operation start.
    @inline(__always)
    func hasToken(for lane: Lane) -> Bool { tokens(of: lane)?.hasToken ?? true }

    /// The starts that the rate of a key allows now.
    @inline(__always)
    func tokens(of lane: Lane) -> RateTokens? {
        lane.tokens?.advance(to: now)
        return lane.tokens
    }

    /// Whether another operation of a key may start, as far as the limits of that go.
    @inline(__always)
    func mayBegin(in lane: Lane) -> Bool { lane.state.turns < laneLimit && !lane.isPaused && hasToken(for: lane) }

    /// Pauses or resumes a key. The lane that this returns has to be released without the lock.
    mutating func pause(_ lane: Lane, _ isPaused: Bool) -> Lane {
        let lane = present(lane)
        lane.isPaused = isPaused
        if isPaused { enter(lane) }
        update(lane)
        return lane
    }

    /// Takes out the next operation of the lane that has the next turn, and gives it that; nil if no lane is ready.
    mutating func beginNextReady() -> LineNode? {
        guard let lane = ready.first else { return nil }
        ready.remove(lane)
        lane.isReady = false
        let node = lane.state.beginNext()
        tokens(of: lane)?.take()
        // Behind the others, so that no key keeps all turns for itself.
        update(lane)
        return node
    }

    /// Puts a lane where it belongs after something has left or joined it. The caller keeps the lane until the lock is
    /// given back.
    mutating func update(_ lane: Lane) {
        let isWaiting = lane.state.isWaiting
        let isIdle = !isWaiting && lane.state.turns == 0 && !lane.isPaused
        // A lane stays for as long as its rate counts earlier starts.
        if let tokens = tokens(of: lane), let delay = tokens.timerDelay(isAwaited: isWaiting, isKept: isIdle) {
            delays.append((tokens, lane, delay, tokens.timerNumber))
        } else if isIdle, lane.tokens?.isFull ?? true, lane.isPresent {
            _ = table.remove(lane)
        }
        let isReady = isWaiting && mayBegin(in: lane)
        guard isReady != lane.isReady else { return }
        lane.isReady = isReady
        if isReady { ready.append(lane) } else { ready.remove(lane) }
    }
}

/// The lane of a key. A subclass has the key, and so is in the client's module.
// Safe to share: the queue's lock guards all of it. Tested by `KeyedFutureQueueTests`, under the thread sanitizer.
@usableFromInline
package class Lane: KeyEntry, @unchecked Sendable {
    @exclusivity(unchecked) final var state = LaneState()
    /// The starts that the rate of its key allows; nil without such a rate.
    @exclusivity(unchecked) fileprivate(set) final var tokens: RateTokens?
    @exclusivity(unchecked) fileprivate(set) final var isPaused = false

    /// Whether it is in the list of lanes that are ready.
    @exclusivity(unchecked) fileprivate final var isReady = false

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
        state.withLock { $0.table.entry(hash, where: isEqual) }
    }
}
