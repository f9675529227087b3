// EndCondition: whether a node that is to be ended may end.

/// When a node that is to be failed from outside ends.
// A value: for a closure, the compiler would copy the long function `jobs(endingWith:)` for each of its callers.
enum EndCondition: Sendable {
    /// Unless it has listeners other than watchers: a cancel.
    case unlessKept
    /// Unless it has begun: an operation that is to leave its queue.
    case unlessBegun
    /// Unless it has begun: an operation that its queue has removed already. The queue is not told.
    case leftQueue
    /// In any case.
    case always

    /// Requires the lock of the node.
    @inline(__always)
    func allows(_ node: Node, with listeners: Listeners) -> Bool {
        switch self {
        case .unlessKept: !listeners.preventCancel
        case .unlessBegun, .leftQueue: node.progress == .waiting
        case .always: true
        }
    }
}
