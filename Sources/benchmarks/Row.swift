// Row: one workload, implemented by several contestants.

/// One workload, implemented with Futures and, where possible, by other means.
///
/// A pass runs the workload once: for example, it creates a promise, adds a listener and completes the promise, or it
/// runs a chain of ten maps. A pass consists of one or more operations. The cost of one operation is reported.
struct Row: Sendable {
    /// The description of the workload. `Targets` refers to the row by it.
    let name: String
    /// The number of operations in a pass.
    var operations = 1
    /// Whether each measurement is a single pass, because its length is the point.
    var isOnePass = false
    /// Whether the threads of the process share a processor, because the row wakes threads up.
    var sharesProcessor = false
    /// Whether the row takes seconds, so that `--quick` omits it.
    var isLong = false
    /// The name of a series: rows with the same workload at different lengths. They must be adjacent, and are measured
    /// in the same rounds.
    var series: String?
    /// The implementations, Futures first.
    let contestants: [Contestant]
}

/// A group of related rows with a title.
struct Chapter: Sendable {
    let title: String
    let rows: [Row]

    init(_ title: String, _ families: [Row]...) {
        self.title = title
        rows = families.flatMap(\.self)
    }

    /// The rows in groups. Adjacent rows of a series are one group, and any other row is a group of its own.
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

/// One implementation of a workload.
struct Contestant: Sendable {
    let side: Side
    /// The clock that measures the workload. The default is the processor time of the thread for a side that stays on
    /// its thread, and that of the process for any other. Workloads that wait for threads to wake up need the wall
    /// clock, unless the threads share a processor.
    let clock: Clock
    /// Prepares the given number of passes and returns a closure that runs them. Only the time and the allocations of
    /// the closure are measured.
    let prepare: @Sendable (_ passes: Int) -> () -> Void

    init(_ side: Side, clock: Clock? = nil, _ run: @escaping @Sendable (_ passes: Int) -> Void) {
        self = .preparing(side, clock: clock) { passes in { run(passes) } }
    }

    /// Creates a contestant with a preparation that is not measured.
    // Not an initializer: a trailing closure would be ambiguous between the two.
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

/// Futures, or a technique that it is compared with.
struct Side: Sendable, Hashable {
    let name: String
    /// Whether a workload runs on the calling thread only, and has completed when it returns.
    fileprivate(set) var staysOnItsThread = true

    /// This package.
    static let futures = Side(name: "Futures")
    /// A hand-written class with a mutex and a closure.
    static let callback = Side(name: "CB")
    /// The same, with listeners that can be removed in constant time.
    static let removingCallback = Side(name: "CB+remove")
    /// Raw closures on a `DispatchQueue`.
    static let dispatch = Side(name: "RD", staysOnItsThread: false)
    /// Raw closures on a `DispatchQueue` that pass their results to a `Callback`, as a future does to its listeners.
    static let answeringDispatch = Side(name: "RD+CB", staysOnItsThread: false)
    /// Callbacks by hand whose listeners are called on a `DispatchQueue`: a chain that passes values.
    static let callbackOnQueue = Side(name: "CB+RD", staysOnItsThread: false)
    /// A hand-written class with an operation, a list of listeners, a cancel, and an owner that fails it when released.
    static let fullCallback = Side(name: "CB-full")
    /// A hand-written serial queue that runs on the caller's thread.
    static let callbackQueue = Side(name: "CB-queue")
    /// Swift's own async functions, actors and continuations.
    static let concurrency = Side(name: "SC", staysOnItsThread: false)
}

/// The variable that workloads store their results in, so that the optimizer cannot remove them as unused. Written by
/// one thread at a time.
nonisolated(unsafe) var sink = 0

/// Makes an object escape, so that the optimizer does not promote it from the heap to the stack.
@inline(never)
func escape(_ value: some Sendable) {
    if sink == .min { escaped = value }
}

private nonisolated(unsafe) var escaped: (any Sendable)?

extension Int {
    /// The number in short form, such as 1 k, 20 k or 1 M.
    var short: String {
        switch self {
        case 1_000_000...: "\(self / 1_000_000) M"
        case 1000...: "\(self / 1000) k"
        default: "\(self)"
        }
    }
}
