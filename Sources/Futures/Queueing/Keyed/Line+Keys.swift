// Keys: how an operation of a key finds its lane.

// The type of the key occurs only here, where a key is looked up, which is inlinable: see `Line`.
extension Line {
    @inlinable
    func enqueue<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        let lane = lane(of: key)
        let node = Node(
            source: nil, on: scheduler, options.traits, Closure(Beginning(operation)), origin: options.origin
        ) { [self] node, event in
            guard event == .arrived else { return handle(event, of: node, options, in: lane) }
            let waits = node.takeTurn(T.self) {
                if options.isTimed { options.limitRunning(of: node) }
                return try node.closure.load(as: Beginning<T>.self).call()
            }
            if waits { hasJoined(node) }
        }
        enqueue(node, options, in: lane)
        return Future(node: node)
    }

    @inlinable
    func run<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable () throws -> T
    ) -> Future<T> {
        if options.isTimed { return enqueue(for: key, on: scheduler, options) { Future(try operation()) } }
        let lane = lane(of: key)
        let node = Node(
            source: nil, on: scheduler, options.traits, Closure(Producing(operation)), origin: options.origin
        ) { [self] node, event in
            guard event == .arrived else { return handle(event, of: node, options, in: lane) }
            node.takeTurn { try node.closure.load(as: Producing<T>.self).call() }
        }
        enqueue(node, options, in: lane)
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

    var keyCount: Int { state.withLock { $0.keyed.table.count } }
}
