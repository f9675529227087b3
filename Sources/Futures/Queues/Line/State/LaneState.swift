// LaneState: the operations of one lane: those that wait, by priority, and those that run.

/// The operations of one lane: those that wait, by priority, and those that run.
///
/// The operations of a priority are first in, first out. A priority that was passed over `starvationLimit` times in a row
/// has the next turn, so that each gets at least every eighth one.
package struct LaneState {
    /// One less than seven, as one of two priorities that were passed over equally often has to wait for the other.
    static let starvationLimit: UInt8 = 6

    private var high = Listeners()
    private var normal = Listeners()
    private var low = Listeners()
    /// How many turns in a row went to others while an operation of the priority waited.
    private var passedNormal: UInt8 = 0
    private var passedLow: UInt8 = 0
    /// How many operations have their turn, whether an abort can find them or not.
    package private(set) var turns = 0
    /// The operations that have their turn and that an abort finds: one of them, and those beside it. Most queues are
    /// serial, and an array would cost 5 % of a turn.
    private var firstRunning: LineNode?
    private var othersRunning: [LineNode] = []

    var isWaiting: Bool { !high.isEmpty || !normal.isEmpty || !low.isEmpty }

    /// The weight of the next operation; nil if there is none.
    var nextWeight: Int? { self[next].firstOperation(\.weight) }

    /// The next operation, of which there must be one.
    var nextWaiting: LineNode { self[next].firstOperation(\.self)! }

    /// The place of a node that waits, counted from 1, if that is at most `limit`.
    package func place(of node: LineNode, upTo limit: Int) -> Int? {
        var (count, place) = (0, Int?.none)
        for priority in [QueuePriority.high, .normal, .low] {
            self[priority].forEach(upTo: limit - count) { other in
                count += 1
                if other === node { place = count }
            }
        }
        return place
    }

    mutating func append(_ node: LineNode) { change(node.priority) { $0.add(node) } }

    /// Takes out an operation that waits. The caller must retain it, as in `forget`.
    mutating func take(_ node: LineNode) { change(node.priority) { _ = $0.take(node) } }

    /// Takes out the next operation, of which there must be one, and gives it a turn.
    mutating func beginNext() -> LineNode {
        let priority = next
        passedNormal = priority == .normal ? 0 : normal.isEmpty ? passedNormal : passedNormal + 1
        passedLow = priority == .low ? 0 : low.isEmpty ? passedLow : passedLow + 1
        let node = change(priority) { $0.takeOperation()! }
        begin(node)
        return node
    }

    /// Takes out all waiting operations, which are outside of the queue then.
    mutating func takeAll(into nodes: inout [LineNode]) {
        for priority in [QueuePriority.high, .normal, .low] {
            while let node = change(priority, { $0.takeOperation() }) {
                node.position = .outside
                nodes.append(node)
            }
        }
    }

    /// Up to `count` of the operations that have their turn and that an abort finds.
    package func running(upTo count: Int = .max) -> [LineNode] {
        (firstRunning.map { [$0] } ?? []) + othersRunning.prefix(count)
    }

    /// An operation gets its turn.
    mutating func begin(_ node: LineNode) {
        turns += 1
        if firstRunning == nil {
            node.index = -1
            firstRunning = node
        } else {
            node.index = Int32(othersRunning.count)
            othersRunning.append(node)
        }
    }

    /// No abort finds this operation any more. The caller must retain it: no last reference is released under the lock.
    mutating func forget(_ node: LineNode) {
        guard node.index >= 0 else { return firstRunning = nil }
        let last = othersRunning.removeLast()
        guard last !== node else { return }
        othersRunning[Int(node.index)] = last
        last.index = node.index
    }

    mutating func endTurn() { turns -= 1 }

    /// The priority that has the next turn; there must be one.
    private var next: QueuePriority {
        if high.isEmpty, low.isEmpty || normal.isEmpty { return normal.isEmpty ? .low : .normal }
        if !low.isEmpty, passedLow >= Self.starvationLimit { return .low }
        return !normal.isEmpty && (high.isEmpty || passedNormal >= Self.starvationLimit) ? .normal : .high
    }

    private subscript(priority: QueuePriority) -> Listeners {
        switch priority {
        case .high: high
        case .normal: normal
        case .low: low
        }
    }

    // No array: its check for a sole reference would be a good part of a turn. Nor a subscript: it is not inlined.
    @inline(__always)
    private mutating func change<T>(_ priority: QueuePriority, _ body: (inout Listeners) -> T) -> T {
        switch priority {
        case .high: body(&high)
        case .normal: body(&normal)
        case .low: body(&low)
        }
    }
}

// A waiting operation is in no list of listeners, so its links serve as its place among those that wait.
extension Listeners {
    /// Reads the first operation without a retain; nil if there is none.
    func firstOperation<T>(_ read: (LineNode) -> T) -> T? { first?._withUnsafeGuaranteedRef { read($0.lineNode) } }

    mutating func takeOperation() -> LineNode? { takeFirst().map { $0.lineNode } }
}
