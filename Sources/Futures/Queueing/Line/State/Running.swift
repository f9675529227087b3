// Running: those that have their turn, so that an abort finds them.

/// The nodes that have their turn.
///
/// The first one has a place of its own: most queues run one at a time, and an array would cost a twentieth of a turn.
struct Running {
    private var only: Node?
    private var others: [Node] = []

    var count: Int { (only == nil ? 0 : 1) + others.count }

    var nodes: [Node] { (only.map { [$0] } ?? []) + others }

    mutating func add(_ node: Node) {
        if only == nil {
            node.number = -1
            only = node
        } else {
            node.number = Int32(others.count)
            others.append(node)
        }
    }

    /// The node must be here, and the caller hold it, so that no last reference is released.
    mutating func remove(_ node: Node) {
        guard node.number >= 0 else { return only = nil }
        let last = others.removeLast()
        guard last !== node else { return }
        others[Int(node.number)] = last
        last.number = node.number
    }
}
