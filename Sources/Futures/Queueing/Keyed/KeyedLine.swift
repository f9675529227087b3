// KeyedLine: the line of a KeyedFutureQueue.

/// The line of a queue with keys: a line of lines, and the table that tells which is a key's.
// All that has the key's type is inlinable. In the line's state, which would have a type parameter then, or not
// specialised in the client, it made an operation take three times as long, most of it looking for metadata.
@usableFromInline
final class KeyedLine<Key: Hashable & Sendable>: Sendable {
    @usableFromInline let line: LaneLine
    /// Guarded by the line's lock.
    @usableFromInline nonisolated(unsafe) let table = KeyTable<Key>()

    init(_ limits: LineLimits, maxConcurrentCountPerKey: Int, file: StaticString, line: UInt) {
        guard maxConcurrentCountPerKey >= 1 else {
            fatalError(
                "maxConcurrentCountPerKey must be at least 1, or nothing could ever begin.", file: file, line: line)
        }
        self.line = LaneLine(limits, LaneOrder(maxConcurrentCountPerKey: maxConcurrentCountPerKey))
    }

    var keyCount: Int { line.state.withLock { _ in table.lanes.count } }

    @inlinable
    func enqueue<T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ terms: Terms,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let node = Node(
            source: nil, on: scheduler, terms.traits, .beginning(operation), origin: terms.origin
        ) { [self] node, call in
            guard call == .arrived else { return hear(call, of: node, key, terms) }
            let waits = node.takeTurn(T.self) {
                if terms.isTimed { terms.limitRunning(of: node) }
                return try node.closure.beginning(T.self)()
            }
            if waits { line.hasJoined(node) { table.lanes[key] } }
        }
        enqueue(node, key, terms)
        return Future(node: node)
    }

    @inlinable
    func enqueue(_ node: Node, _ key: Key, _ terms: Terms) {
        // A key is released without the lock: it is a user's.
        var idle: Key?
        line.enter(node, in: { table.lane(key) }, whenIdle: { idle = table.remove(key) })
        if terms.isTimed { terms.limitWaiting(of: node) }
        withExtendedLifetime(idle) {}
    }

    /// What a node's operation is called for, beside its turn.
    @inlinable
    func hear(_ call: Call, of node: Node, _ key: Key, _ terms: Terms) {
        switch call {
        case .over:
            var idle: Key?
            line.leave(node, from: { table.lanes[key] }, whenIdle: { idle = table.remove(key) })
            withExtendedLifetime(idle) {}
        case .enqueued: enqueue(node, key, terms)
        default: line.hear(call, of: node, terms) { table.lanes[key] }
        }
    }
}

extension KeyedLine {
    /// Fails all that wait, and cancels what runs; of this key, or of any.
    func abort(_ key: Key?, with error: any Error, closing: Bool) {
        line.abort(
            { key.map { [table.lanes[$0]].compactMap { $0 } } ?? Array(table.lanes.values) }, with: error,
            closing: closing)
        let idle = line.state.withLock { _ in table.removeIdle() }
        withExtendedLifetime(idle) {}
    }

    /// Nobody can abort or resume this any more.
    func disown() { line.disown { Array(table.lanes.values) } }
}

/// Which line is a key's, of those of which something waits or runs.
@usableFromInline
final class KeyTable<Key: Hashable & Sendable> {
    @exclusivity(unchecked) @usableFromInline var lanes: [Key: Lane] = [:]

    @usableFromInline
    init() {}

    @inlinable
    func lane(_ key: Key) -> Lane {
        if let lane = lanes[key] { return lane }
        let lane = Lane()
        lanes[key] = lane
        return lane
    }

    /// Takes out a key, and gives it away.
    @inlinable
    func remove(_ key: Key) -> Key? {
        guard let index = lanes.index(forKey: key) else { return nil }
        defer { shrink() }
        return lanes.remove(at: index).key
    }

    func removeIdle() -> [Key: Lane] {
        let idle = lanes.filter { $0.value.isIdle }
        for key in idle.keys { lanes[key] = nil }
        shrink()
        return idle
    }

    /// A table does not shrink by itself.
    @inlinable
    func shrink() {
        if lanes.isEmpty, lanes.capacity > 64 { lanes = [:] }
    }
}
