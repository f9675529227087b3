// LaneLine: the line of a KeyedFutureQueue: a line for each key.

/// The line of a queue with keys, in which each key has a lane.
// The key's type occurs only where a key is looked up, which is inlinable. In the line's state, which would have a type
// parameter then, or not specialised in the client, it made an operation take three times as long, most of it looking for
// metadata.
@usableFromInline
final class LaneLine: Line {
    let state: Locked<LineState<LaneOrder>>
    let rate: Rate?
    let timer: OwnedTimer?

    init(_ limits: LineLimits, maxConcurrentCountPerKey: Int, file: StaticString, line: UInt) {
        guard maxConcurrentCountPerKey >= 1 else {
            fatalError(
                "maxConcurrentCountPerKey must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
        rate = limits.rate
        timer = limits.rate.map { _ in OwnedTimer() }
        state = Locked(LineState(LaneOrder(maxConcurrentCountPerKey: maxConcurrentCountPerKey), limits))
    }

    deinit { releaseErrors() }

    func identity(_ lane: Lane) -> ObjectIdentifier { ObjectIdentifier(lane) }

    var keyCount: Int { state.withLock { $0.order.table.count } }

    @inlinable
    func enqueue<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ terms: Terms,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let lane = lane(of: key)
        let node = Node(
            source: nil, on: scheduler, terms.traits, Closure(Beginning(operation)), origin: terms.origin
        ) { [self] node, call in
            guard call == .arrived else { return hear(call, of: node, lane, terms) }
            let waits = node.takeTurn(T.self) {
                if terms.isTimed { terms.limitRunning(of: node) }
                return try node.closure.load(as: Beginning<T>.self).call()
            }
            if waits { hasJoined(node) }
        }
        enqueue(node, lane, terms)
        return Future(node: node)
    }

    /// The lane of a key, which may be one that no operation is in.
    @inlinable
    func lane<Key: Hashable & Sendable>(of key: Key) -> Lane {
        let hash = key.hashValue
        // All lanes of a queue are of this type: its keys are.
        return lane(hash: hash) { unsafeDowncast($0, to: KeyedLane<Key>.self).key == key } ?? KeyedLane(key, hash: hash)
    }

    @usableFromInline
    func lane(hash: Int, where isEqual: (KeyEntry) -> Bool) -> Lane? {
        state.withLock(entryOf: hash, where: isEqual) { $1 }.map { unsafeDowncast($0, to: Lane.self) }
    }

    @usableFromInline
    func enqueue(_ node: Node, _ lane: Lane, _ terms: Terms) {
        // Another lane may have the key meanwhile: if this one has been idle.
        let arrival = state.withLock(entryOf: lane.hash, knownAs: lane, where: lane.hasKey(of:)) {
            $0.arrive(node, $1.map { unsafeDowncast($0, to: Lane.self) } ?? lane)
        }
        begin(node, arrival)
        if terms.isTimed { terms.limitWaiting(of: node) }
    }

    /// What a node's operation is called for, beside its turn. It is enqueued in the lane, or another one of its key.
    @usableFromInline
    func hear(_ call: Call, of node: Node, _ lane: Lane, _ terms: Terms) {
        switch call {
        case .over: leave(node)
        case .enqueued: enqueue(node, lane, terms)
        case .heard: if let lane = self.lane(of: node) { detectDeadlock(before: node, lane) }
        case .suspected: hasJoined(node)
        // A timer will end one whose time is limited.
        case .unending: if terms.maxRunning == nil { answerUnending() }
        case .arrived, .cancelled: return
        }
    }

    /// The node has begun to wait for the future that its operation has returned.
    @usableFromInline
    func hasJoined(_ node: Node) {
        if let lane = lane(of: node) { detectDeadlock(of: node, lane) }
    }
}

extension LaneLine {
    /// The lane in which a node waits or runs.
    private func lane(of node: Node) -> Lane? { state.withLock { $0.order.lane(of: node) } }

    private func leave(_ node: Node) {
        let (action, lane) = state.withLock { state -> (LineState<LaneOrder>.Action, Lane?) in
            // None if the node has left already.
            guard let lane = state.order.lane(of: node) else { return (.init(), nil) }
            return (state.leave(node, lane), lane)
        }
        proceed(action)
        // A key is released without the lock: it is a user's.
        withExtendedLifetime(lane) {}
    }

    /// Keeps the turn of a node that has it. To be called in its job.
    func hold(_ node: Node) -> Hold {
        let lane = state.withLock { state in
            state.hold(node)
            return state.order.lane(of: node)!
        }
        return Hold { [self, weak node] in perform(state.withLock { $0.release(node, lane) }) }
    }

    /// What checks the cleanup of a node that has its turn. To be called in its job.
    func cleanupCheck(_ node: Node, _ origin: FutureError.Origin) -> @Sendable (Node) throws -> Void {
        let lane = lane(of: node)!
        return { [self] in try checkCleanup($0, lane, origin) }
    }

    /// Fails all that wait, and cancels what runs; in this lane, or in any.
    func abort(_ lane: Lane?, with error: any Error, closing: Bool) {
        // Those that are idle then are released without the lock.
        var lanes: [Lane] = []
        abort(
            {
                lanes = lane.map { [$0] } ?? $0.order.lanes
                return lanes
            }, with: error, closing: closing)
        withExtendedLifetime(lanes) {}
    }

    /// Nobody can abort or resume this any more.
    func disown() {
        disown { $0.order.lanes }
    }
}

extension LineState<LaneOrder>: KeyedState {
    func readTable<T>(_ body: (borrowing KeyTable) -> T) -> T { body(order.table) }
}
