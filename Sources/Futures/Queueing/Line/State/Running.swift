// Running: the operations that have their turn, so that an abort finds them.

/// The nodes that have their turn.
///
/// The first one is stored outside the array: most queues are serial, and an array would cost 5 % of a turn.
struct Running {
    private var only: LineNode?
    private var others: [LineNode] = []

    var count: Int { (only == nil ? 0 : 1) + others.count }

    var nodes: [LineNode] { prefix(.max) }

    /// Up to `count` of the nodes.
    func prefix(_ count: Int) -> [LineNode] { (only.map { [$0] } ?? []) + others.prefix(count) }

    mutating func add(_ node: LineNode) {
        if only == nil {
            node.index = -1
            only = node
        } else {
            node.index = Int32(others.count)
            others.append(node)
        }
    }

    /// Removes a node, which must be here. The caller must retain it: no last reference is released under the lock.
    mutating func remove(_ node: LineNode) {
        guard node.index >= 0 else { return only = nil }
        let last = others.removeLast()
        guard last !== node else { return }
        others[Int(node.index)] = last
        last.index = node.index
    }
}
