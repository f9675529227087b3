// WaitingOrder: in which order those that wait get their turn.

/// Those that wait in a queue, in an order of their own. Pure: it calls nothing.
protocol WaitingOrder {
    /// What tells where a node belongs.
    associatedtype Tag: Sendable

    /// How many wait.
    var count: Int { get }

    /// Whether the next one wants to run alone.
    var isFirstExclusive: Bool { get }

    /// Whether a node that comes now may begin, if there is room, before all that wait.
    func admits(_ tag: Tag) -> Bool

    /// A node has begun without waiting.
    mutating func begin(_ tag: Tag)

    /// Adds a node, with a reference to it.
    mutating func add(_ node: Node, _ tag: Tag)

    /// Takes out a node that waits, and gives away the reference to it.
    mutating func remove(_ node: Node, _ tag: Tag) -> Node

    /// Takes out the next one, which begins; nil if none may. One that wants to run alone has to be.
    mutating func takeNext(isAlone: Bool) -> Node?

    /// A node that had begun is over.
    mutating func end(_ tag: Tag)

    /// Takes out all.
    mutating func takeAll() -> [Node]
}

extension Listeners {
    /// Takes out all nodes of a line.
    mutating func takeWaiting(into nodes: inout [Node]) {
        while let node = takeFirst() {
            node.standing = .outside
            nodes.append(node)
        }
    }
}
