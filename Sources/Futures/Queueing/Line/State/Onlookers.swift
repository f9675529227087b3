// Onlookers: those who wait for a queue to be empty, or to have room.

/// Those who wait for a queue to be empty, or to have room: queued nodes, of which any can leave in O(1).
struct Onlookers {
    private var forEmptiness = Listeners(last: Word.pending)
    private var forRoom = Listeners(last: Word.pending)
    /// Was let through, and is telling its listeners, who may take the room: the next one comes when it is over.
    private var isTelling: ObjectIdentifier?
    /// Whether a search is due for operations that wait for their own queue to be empty.
    var areSuspected = false

    var isEmpty: Bool { forEmptiness.last == Word.pending && forRoom.last == Word.pending }

    var awaitEmptiness: Bool { forEmptiness.last != Word.pending }

    /// Some of those that wait for the queue to be empty, at most `count`.
    func firstForEmptiness(_ count: Int) -> [Node] { forEmptiness.prefix(count) }

    mutating func addForEmptiness(_ node: Node) {
        node.standing = .waiting
        node.number = 0
        forEmptiness.add(node, retained: true)
    }

    /// False if there is room, and nobody who has waited longer.
    mutating func addForRoom(_ node: Node, hasRoom: Bool) -> Bool {
        if hasRoom, isTelling == nil, forRoom.last == Word.pending {
            isTelling = ObjectIdentifier(node)
            return false
        }
        node.standing = .waiting
        node.number = 1
        forRoom.add(node, retained: true)
        return true
    }

    /// Moves those that are to be told to `jobs`.
    mutating func take(isEmpty: Bool, hasRoom: Bool, into jobs: inout JobList) {
        if isEmpty {
            while let node = forEmptiness.takeFirst() { tell(node, &jobs) }
        }
        if hasRoom, isTelling == nil, let node = forRoom.takeFirst() {
            isTelling = ObjectIdentifier(node)
            tell(node, &jobs)
        }
    }

    private func tell(_ node: Node, _ jobs: inout JobList) {
        node.standing = .outside
        jobs.append(node)
    }

    /// Takes out a node that waits, and gives away the reference to it.
    mutating func remove(_ node: Node) -> Node? {
        if isTelling == ObjectIdentifier(node) { isTelling = nil }
        guard node.standing == .waiting else { return nil }
        node.standing = .outside
        return node.number == 0 ? forEmptiness.take(node) : forRoom.take(node)
    }
}
