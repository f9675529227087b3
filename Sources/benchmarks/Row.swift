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
    /// Ours first.
    let contestants: [Contestant]
}

/// Somebody who does the workload.
struct Contestant: Sendable {
    let side: Side
    /// What is asked for the time. Unless it is said otherwise, Futures and callbacks stay on their thread, the others
    /// do not, and nobody waits for a thread to wake up.
    let clock: Clock
    /// Does it so many times.
    let run: @Sendable (_ passes: Int) -> Void

    init(_ side: Side, clock: Clock? = nil, _ run: @escaping @Sendable (_ passes: Int) -> Void) {
        self.side = side
        self.clock = clock ?? (side == .futures || side == .callback ? .thread : .process)
        self.run = run
    }
}

/// Who does it.
enum Side: String, Sendable {
    /// This package.
    case futures = "Futures"
    /// A class with a mutex and a closure, as one writes it by hand.
    case callback = "CB"
    /// Raw closures on a `DispatchQueue`.
    case dispatch = "RD"
    /// Swift's own async functions, actors and continuations.
    case concurrency = "SC"
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
