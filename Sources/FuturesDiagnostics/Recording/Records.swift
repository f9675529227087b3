// Records: what is known of all nodes that were recorded, beside the nodes, which have no room for it.

import Futures

/// The records of all nodes that are recorded and still exist.
///
/// A node's deinit removes its record, so an identity is that of one node. No code of users runs under the locks, and no
/// node is released there: that may be its end.
enum Records {
    private typealias Table = Locked<[ObjectIdentifier: Record]>

    /// Several tables, each with a lock, so that threads that make futures seldom wait for each other.
    private static let tables = (0..<16).map { _ in Table([:]) }

    private static func table(of node: Node) -> Table {
        tables[Int(UInt(bitPattern: ObjectIdentifier(node)) >> 6 & 15)]
    }

    /// Adds a record, unless there is one.
    static func add(_ node: Node, _ stack: [UInt]) {
        guard !node.isRecorded else { return }
        let record = Record(of: node, stack)
        // Marked under the lock: a thread that finds the mark finds the record, too.
        let isNew = table(of: node).withLock { table in
            guard node.marks.insert(Marks.recorded) else { return false }
            table[ObjectIdentifier(node)] = record
            return true
        }
        if isNew { Measurements.count { $0.created += 1 } }
    }

    /// Changes the record of a node, adding one if there is none.
    @discardableResult
    static func change<T>(_ node: Node, _ body: (inout Record) -> T) -> T {
        add(node, [])
        return table(of: node).withLock { body(&$0[ObjectIdentifier(node)]!) }
    }

    /// Removes the record of a node, and returns it.
    static func remove(_ node: Node) -> Record? {
        table(of: node).withLock { $0.removeValue(forKey: ObjectIdentifier(node)) }
    }

    /// Calls `body` with the record of a node, if there is one.
    static func read<T>(_ node: Node, _ body: (Record) -> T) -> T? {
        guard node.isRecorded else { return nil }
        return table(of: node).withLock { $0[ObjectIdentifier(node)] }.map(body)
    }

    /// All records, in no order.
    static var all: [Record] { tables.flatMap { table in table.withLock { Array($0.values) } } }

    /// The nodes that are recorded, in no order.
    static var nodes: [WeakReference] { tables.flatMap { table in table.withLock { $0.values.map(\.node) } } }
}
