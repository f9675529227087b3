// Running: those that have their turn, so that an abort finds them.

/// The nodes that have their turn.
///
/// The first one has a place of its own: most queues run one at a time, and an array would cost a twentieth of a turn.
struct Running {
    private var only: LineNode?
    private var others: [LineNode] = []

    var count: Int { (only == nil ? 0 : 1) + others.count }

    var nodes: [LineNode] { (only.map { [$0] } ?? []) + others }

    mutating func add(_ node: LineNode) {
        if only == nil {
            node.index = -1
            only = node
        } else {
            node.index = Int32(others.count)
            others.append(node)
        }
    }

    /// The node must be here, and the caller hold it, so that no last reference is released.
    mutating func remove(_ node: LineNode) {
        guard node.index >= 0 else { return only = nil }
        let last = others.removeLast()
        guard last !== node else { return }
        others[Int(node.index)] = last
        last.index = node.index
    }
}
