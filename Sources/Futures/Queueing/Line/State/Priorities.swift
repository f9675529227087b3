// Priorities: three lines, of which the urgent one goes first, though not always.

/// How urgent an operation is.
public enum QueuePriority: Sendable {
    /// Before all others that wait.
    case high
    /// In the order in which they came.
    case normal
    /// Behind all others that wait.
    case low
}

/// Three lines, each first in, first out.
///
/// A line that was passed over `patience` times in a row has the next turn, so that nobody waits for ever.
struct Priorities: WaitingOrder {
    private struct Lane {
        var nodes = Listeners(last: Word.pending)
        var passedOver = 0

        var isOverdue: Bool { passedOver >= Priorities.patience && !nodes.isEmpty }
    }

    static let patience = 7

    private var high = Lane()
    private var normal = Lane()
    private var low = Lane()
    private(set) var count = 0
    private var running = Running()
    private var turns = 0
    private var isSuspicious = false

    var isFirstExclusive: Bool { count > 0 && self[next].nodes.isFirstExclusive }

    func firstWaiting(_ tag: Void, _ count: Int) -> [Node] {
        guard self.count > 0 else { return [] }
        var nodes: [Node] = []
        for priority in [QueuePriority.high, .normal, .low] {
            nodes += self[priority].nodes.prefix(count - nodes.count)
        }
        return nodes
    }

    func admits(_ tag: Void) -> Bool { count == 0 }

    mutating func add(_ node: Node, _ tag: Void) {
        count += 1
        self[QueuePriority(node.traits)].nodes.add(node, retained: true)
    }

    mutating func remove(_ node: Node, _ tag: Void) -> Node {
        count -= 1
        return self[QueuePriority(node.traits)].nodes.take(node)
    }

    mutating func begin(_ node: Node, _ tag: Void, isKept: Bool) {
        turns += 1
        if isKept { running.add(node) }
    }

    mutating func takeNext(isAlone: Bool, isKept: Bool) -> Node? {
        guard count > 0 else { return nil }
        let priority = next
        guard isAlone || !self[priority].nodes.isFirstExclusive else { return nil }
        if priority == .high, !normal.nodes.isEmpty { normal.passedOver += 1 }
        if priority != .low, !low.nodes.isEmpty { low.passedOver += 1 }
        self[priority].passedOver = 0
        count -= 1
        let node = self[priority].nodes.takeFirst()!
        begin(node, (), isKept: isKept)
        return node
    }

    mutating func forget(_ node: Node, _ tag: Void) { running.remove(node) }

    mutating func end(_ tag: Void) { turns -= 1 }

    mutating func takeAll(_ tag: Void) -> [Node] {
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        for priority in [QueuePriority.high, .normal, .low] { self[priority].nodes.takeWaiting(into: &nodes) }
        count = 0
        return nodes
    }

    func running(_ tag: Void) -> [Node] { running.nodes }

    mutating func forgetAll(_ tag: Void) { running = Running() }

    func runningCount(_ tag: Void) -> Int { running.count }

    func blockers(_ tag: Void, isFull: Bool) -> [Node] {
        isFull && running.count == turns ? running.nodes : []
    }

    func isOneAtATime(_ tag: Void) -> Bool { false }

    func isSuspicious(_ tag: Void) -> Bool { isSuspicious }

    mutating func setSuspicion(_ tag: Void, _ isSuspicious: Bool) -> Bool {
        defer { self.isSuspicious = isSuspicious }
        return self.isSuspicious
    }

    /// The line whose turn it is; there must be one.
    private var next: QueuePriority {
        if low.isOverdue { return .low }
        if normal.isOverdue { return .normal }
        return !high.nodes.isEmpty ? .high : !normal.nodes.isEmpty ? .normal : .low
    }

    // No array: its check for a sole reference would be a good part of a turn.
    private subscript(priority: QueuePriority) -> Lane {
        get {
            switch priority {
            case .high: high
            case .normal: normal
            case .low: low
            }
        }
        _modify {
            switch priority {
            case .high: yield &high
            case .normal: yield &normal
            case .low: yield &low
            }
        }
    }
}

extension QueuePriority {
    init(_ traits: Traits) {
        self = traits.contains(.urgent) ? .high : traits.contains(.patient) ? .low : .normal
    }

    @inlinable
    var traits: Traits {
        switch self {
        case .high: .urgent
        case .normal: []
        case .low: .patient
        }
    }
}
