// EndCondition: whether a node that is to be ended may end.

/// When a node that is to be failed from outside ends.
// A value: for a closure, the compiler would copy the long function `jobs(endingWith:)` for each of its callers.
enum EndCondition: Sendable {
    /// Unless it has listeners other than watchers: a cancel.
    case unlessKept
    /// Unless it has begun: an operation that leaves its queue.
    case unlessBegun
    /// In any case.
    case always

    /// Requires the lock of the node.
    @inline(__always)
    func allows(_ node: Node, with listeners: Listeners) -> Bool {
        switch self {
        case .unlessKept: !listeners.preventCancel
        case .unlessBegun: !node.hasBegun
        case .always: true
        }
    }
}
