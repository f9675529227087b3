// Keys: how an operation of a key finds its lane.

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
    func lane(hash: Int, where isEqual: (KeyEntry) -> Bool) -> Lane? {
        state.withLock { $0.keyed.table.entry(hash, where: isEqual) }.map { unsafeDowncast($0, to: Lane.self) }
    }

    var keyCount: Int { state.withLock { $0.keyed.table.count } }
}
