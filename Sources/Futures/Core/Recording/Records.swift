// Records: what is known of all nodes that were recorded, beside the nodes, which have no room for it.

/// The records of all nodes that are recorded and still exist.
///
/// A node's deinit removes its record, so an address is that of one node. No code of users runs under the locks, and no
/// node is released there: that may be its end.
enum Records {
    /// Several tables, each with a lock, so that threads that make futures seldom wait for each other.
    private static let tables = (0..<16).map { _ in Locked(KeyTable()) }

    private static func table(of hash: Int) -> Locked<KeyTable> { tables[hash >> 6 & 15] }

    /// Adds a record, unless there is one.
    static func add(_ node: Node, _ stack: [UInt]) {
        guard !node.isRecorded else { return }
        if Recording.isOn { Recording.started }
        let record = Record(of: node, stack)
        // Marked under the lock: a thread that finds the mark finds the record, too.
        let isNew = table(of: record.hash).withLock { table in
            guard node.mark(Marks.recorded) else { return false }
            table.insert(record)
            return true
        }
        if isNew { Measurements.count { $0.created += 1 } }
    }

    /// Changes the record of a node, adding one if there is none.
    @discardableResult
    static func change<T>(_ node: Node, _ body: (Record) -> T?) -> T? {
        add(node, [])
        let hash = Record.hash(of: node)
        return table(of: hash).withLock { $0.entry(hash).flatMap { body($0.record) } }
    }

    /// Removes the record of a node, and returns it.
    static func remove(_ node: Node) -> Record? {
        let hash = Record.hash(of: node)
        return table(of: hash).withLock { table in table.entry(hash).map { table.remove($0).record } }
    }

    /// Calls `body` with the record of a node, if there is one, under a lock.
    static func read<T>(_ node: Node, _ body: (Record) -> T) -> T? {
        guard node.isRecorded else { return nil }
        let hash = Record.hash(of: node)
        return table(of: hash).withLock { $0.entry(hash).map { body($0.record) } }
    }

    /// What `body` makes of the records, each under the lock of its table. It must not load the nodes.
    static func compactMap<T>(_ body: (Record) -> T?) -> [T] {
        tables.flatMap { table in table.withLock { $0.all.compactMap { body($0.record) } } }
    }

    /// The nodes that are recorded, in no order.
    static var nodes: [Node] {
        // They are retained without the locks.
        tables.flatMap { table in table.withLock { $0.all } }.compactMap(\.record.node)
    }
}

extension KeyEntry {
    fileprivate var record: Record { unsafeDowncast(self, to: Record.self) }
}
