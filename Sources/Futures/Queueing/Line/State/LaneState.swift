// LaneState: the operations of one lane: those that wait, by priority, and those that run.

/// The operations of one lane: those that wait, by priority, and those that run.
///
/// The operations of a priority are first in, first out. One that is first and was passed over `starvationLimit` times
/// in a row has the next turn, so that no operation waits forever.
struct LaneState {
    static let starvationLimit = 7

    private var high = NodeList()
    private var normal = NodeList()
    private var low = NodeList()
    /// The number of turns so far; it wraps around.
    private var turnCount: Int32 = 0
    /// Its lowest bits at the last turn of a priority, or when its first operation came. The difference stays small,
    /// and a million lanes are a million of these.
    private var lastNormal: UInt8 = 0
    private var lastLow: UInt8 = 0
    /// The lowest bits of the number of turns at the last call of `isStill`.
    private var lastStill: UInt8 = 0
    /// How many operations have their turn, whether an abort can find them or not.
    private(set) var turns = 0
    /// The operations that have their turn and that an abort finds.
    private(set) var running = Running()

    var isWaiting: Bool { !high.isEmpty || !normal.isEmpty || !low.isEmpty }

    /// Whether the next operation must run alone.
    var isNextExclusive: Bool { isWaiting && self[next].first(\.isExclusive)! }

    /// Whether the wait of the next operation, of which there must be one, has a time limit.
    var isNextTimed: Bool { self[next].first { $0.timeLimits?.maxWaiting != nil }! }

    /// Whether no operation has started since the last call.
    mutating func isStill() -> Bool {
        defer { lastStill = UInt8(truncatingIfNeeded: turnCount) }
        return lastStill == UInt8(truncatingIfNeeded: turnCount)
    }

    /// The place of a node that waits, counted from 1, if that is at most `limit`.
    func place(of node: LineNode, upTo limit: Int) -> Int? {
        var (count, place) = (0, Int?.none)
        for priority in [QueuePriority.high, .normal, .low] {
            self[priority].forFirst(limit - count) { address in
                count += 1
                if address == Unmanaged.passUnretained(node).toOpaque() { place = count }
            }
        }
        return place
    }

    mutating func append(_ node: LineNode) {
        node.index = turnCount
        if normal.isEmpty { lastNormal = UInt8(truncatingIfNeeded: turnCount) }
        if low.isEmpty { lastLow = UInt8(truncatingIfNeeded: turnCount) }
        change(node.priority) { $0.append(node) }
    }

    /// Takes out an operation that waits, and gives away the reference to it.
    mutating func take(_ node: LineNode) -> Node { change(node.priority) { $0.take(node) } }

    /// Takes out the next operation, of which there must be one, and gives it a turn; nil if it must run alone and
    /// others run.
    mutating func beginNext(isAlone: Bool, isKept: Bool) -> LineNode? {
        let priority = next
        guard isAlone || !self[priority].first(\.isExclusive)! else { return nil }
        turnCount &+= 1
        if priority == .normal { lastNormal = UInt8(truncatingIfNeeded: turnCount) }
        if priority == .low { lastLow = UInt8(truncatingIfNeeded: turnCount) }
        let node = change(priority) { $0.takeFirst()! }
        begin(node, isKept: isKept)
        return node
    }

    /// Takes out the first waiting operation of the lowest priority; nil if all have a higher one than this.
    mutating func takeOldest(notAbove highest: QueuePriority) -> LineNode? {
        for priority in [QueuePriority.low, .normal, .high] {
            if let node = change(priority, { $0.takeFirst() }) { return node }
            if priority == highest { break }
        }
        return nil
    }

    mutating func takeAll(into nodes: inout [LineNode]) {
        for priority in [QueuePriority.high, .normal, .low] { change(priority) { $0.takeAll(into: &nodes) } }
    }

    /// An operation gets its turn. An abort finds it if `isKept`.
    mutating func begin(_ node: LineNode, isKept: Bool) {
        turns += 1
        if isKept { running.add(node) }
    }

    /// No abort finds this operation any more. It must be one that is kept.
    mutating func forget(_ node: LineNode) { running.remove(node) }

    mutating func forgetAll() { running = Running() }

    mutating func endTurn() { turns -= 1 }

    /// The priority that has the next turn; there must be one.
    private var next: QueuePriority {
        if high.isEmpty, low.isEmpty || normal.isEmpty { return normal.isEmpty ? .low : .normal }
        let lowCount = low.isEmpty ? 0 : passedOver(low, since: lastLow)
        if lowCount >= Self.starvationLimit { return .low }
        // One earlier if both were passed over equally often: only one of them can have the last turn in time.
        let limit = lowCount >= Self.starvationLimit - 1 ? Self.starvationLimit - 1 : Self.starvationLimit
        if !normal.isEmpty, high.isEmpty || passedOver(normal, since: lastNormal) >= limit { return .normal }
        return high.isEmpty ? .low : .high
    }

    /// How many turns the first operation of a priority has seen go to others, since it came and since the last one of
    /// its priority.
    private func passedOver(_ list: NodeList, since last: UInt8) -> Int {
        min(Int(UInt8(truncatingIfNeeded: turnCount) &- last), Int(turnCount &- list.first(\.index)!))
    }

    private subscript(priority: QueuePriority) -> NodeList {
        switch priority {
        case .high: high
        case .normal: normal
        case .low: low
        }
    }

    // No array: its check for a sole reference would be a good part of a turn. Nor a subscript: it is not inlined.
    @inline(__always)
    private mutating func change<T>(_ priority: QueuePriority, _ body: (inout NodeList) -> T) -> T {
        switch priority {
        case .high: body(&high)
        case .normal: body(&normal)
        case .low: body(&low)
        }
    }
}
