// WaitingOrder: in which order those that wait get their turn, and who runs.

/// Those that wait in a queue, in an order of their own, and those that have their turn. Pure: it calls nothing.
protocol WaitingOrder {
    /// What tells where a node belongs.
    associatedtype Tag: Sendable

    /// How many wait.
    var count: Int { get }

    /// Some of this tag that wait, at most `count`.
    func firstWaiting(_ tag: Tag, _ count: Int) -> [Node]

    /// Whether the next one wants to run alone.
    var isFirstExclusive: Bool { get }

    /// Whether a node that comes now may begin, if there is room, before all that wait.
    func admits(_ tag: Tag) -> Bool

    /// A node begins without waiting. It is kept, for an abort to find it, if `isKept`.
    mutating func begin(_ node: Node, _ tag: Tag, isKept: Bool)

    /// Adds a node, with a reference to it.
    mutating func add(_ node: Node, _ tag: Tag)

    /// Takes out a node that waits, and gives away the reference to it.
    mutating func remove(_ node: Node, _ tag: Tag) -> Node

    /// Takes out the next one, which begins; nil if none may. One that wants to run alone has to be.
    mutating func takeNext(isAlone: Bool, isKept: Bool) -> Node?

    /// A node that had begun goes on without this, or is over. Only those that are kept come here.
    mutating func forget(_ node: Node, _ tag: Tag)

    /// The turn of a node is over.
    mutating func end(_ tag: Tag)

    /// Takes out all of this tag that wait.
    mutating func takeAll(_ tag: Tag) -> [Node]

    /// The nodes of this tag that have their turn and are kept.
    func running(_ tag: Tag) -> [Node]

    /// Keeps those of this tag no more that have their turn.
    mutating func forgetAll(_ tag: Tag)

    /// How many of this tag run, of those that are kept.
    func runningCount(_ tag: Tag) -> Int

    /// Those of which one has to be over before another one of this tag can begin; none if none has.
    func blockers(_ tag: Tag, isFull: Bool) -> [Node]

    /// Whether only one of this tag at a time has its turn, whatever the queue's own limit.
    func isOneAtATime(_ tag: Tag) -> Bool

    /// Whether a search for a deadlock is due.
    func isSuspicious(_ tag: Tag) -> Bool

    /// Sets whether a search for a deadlock is due, and returns whether one was.
    mutating func setSuspicion(_ tag: Tag, _ isSuspicious: Bool) -> Bool
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
