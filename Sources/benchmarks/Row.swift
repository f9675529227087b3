// Row: one workload, done by several contestants.

/// One workload, done by Futures and by whoever else can.
///
/// A pass is the workload once: making a promise, listening and completing it; or a chain of ten maps. What is
/// reported is the cost of one operation, of which a pass has one or many.
struct Row: Sendable {
    /// What is done, in the words of the targets' table, by which it finds its target.
    let name: String
    /// How many operations a pass has.
    var operations = 1
    /// Whether a pass is a measurement by itself, because its length is the point.
    var isOnePass = false
    /// Whether it takes seconds, so that `--quick` leaves it out.
    var isLong = false
    /// The rows that do the same at other lengths; they stand next to this one, and are measured in the same rounds.
    var series: String?
    /// Two of the contestants who differ in one rule, so that the difference is its price.
    var price: Price?
    /// Ours first.
    let contestants: [Contestant]
}

/// A rule, and two contestants who differ in it.
struct Price: Sendable {
    let rule: String
    let without: Side
    let with: Side
}

/// Rows that belong together.
struct Chapter: Sendable {
    let title: String
    let rows: [Row]

    init(_ title: String, _ families: [Row]...) {
        self.title = title
        rows = families.flatMap(\.self)
    }

    /// The rows, those of a series together.
    var groups: [[Row]] {
        var groups: [[Row]] = []
        for row in rows {
            if let series = row.series, groups.last?.last?.series == series {
                groups[groups.count - 1].append(row)
            } else {
                groups.append([row])
            }
        }
        return groups
    }
}

/// Somebody who does the workload.
struct Contestant: Sendable {
    let side: Side
    /// What is asked for the time. Unless it is said otherwise, Futures and callbacks stay on their thread, the others
    /// do not, and nobody waits for a thread to wake up.
    let clock: Clock
    /// Makes what so many passes need, and returns what does them: that alone is measured.
    let prepare: @Sendable (_ passes: Int) -> () -> Void

    init(_ side: Side, clock: Clock? = nil, _ run: @escaping @Sendable (_ passes: Int) -> Void) {
        self = .preparing(side, clock: clock) { passes in { run(passes) } }
    }

    /// Somebody who has to make something first, which is not to be measured.
    // No initialiser: a trailing closure could be meant for either.
    static func preparing(
        _ side: Side, clock: Clock? = nil, _ prepare: @escaping @Sendable (_ passes: Int) -> () -> Void
    ) -> Contestant {
        Contestant(side: side, clock: clock ?? (side.staysOnItsThread ? .thread : .process), prepare: prepare)
    }

    private init(side: Side, clock: Clock, prepare: @escaping @Sendable (_ passes: Int) -> () -> Void) {
        self.side = side
        self.clock = clock
        self.prepare = prepare
    }
}

/// Who does it.
struct Side: Sendable, Hashable {
    let name: String
    /// Whether all that it does is over when it returns.
    fileprivate(set) var staysOnItsThread = true

    /// This package.
    static let futures = Side(name: "Futures")
    /// A class with a mutex and a closure, as one writes it by hand.
    static let callback = Side(name: "CB")
    /// Raw closures on a `DispatchQueue`.
    static let dispatch = Side(name: "RD", staysOnItsThread: false)
    /// The same, and each gives its result to a callback, as a future does.
    static let answeringDispatch = Side(name: "RD+CB", staysOnItsThread: false)
    /// Swift's own async functions, actors and continuations.
    static let concurrency = Side(name: "SC", staysOnItsThread: false)

    /// What one writes by hand, with one more of the contract's rules.
    static func callback(with rule: Rule) -> Side { Side(name: "CB+\(rule)") }

    /// A rule of the contract whose price is measured.
    enum Rule {
        /// A promise that is released fails its future.
        case abandon
        /// A listener can be removed in constant time.
        case remove
        /// A chain can run again.
        case rerun
    }
}

/// Where workloads leave their results, so that no optimiser finds out that nobody wants them. Written by one thread
/// at a time.
nonisolated(unsafe) var sink = 0

/// Lets an object be seen by the world, so that the optimiser keeps it on the heap, where in real life it is.
@inline(never)
func escape(_ value: some Sendable) {
    if sink == .min { escaped = value }
}

private nonisolated(unsafe) var escaped: (any Sendable)?

extension Int {
    /// 1 k, 20 k, 1 M.
    var short: String {
        switch self {
        case 1_000_000...: "\(self / 1_000_000) M"
        case 1000...: "\(self / 1000) k"
        default: "\(self)"
        }
    }
}
