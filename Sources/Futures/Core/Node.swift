// Node: the one object behind every future: its result cell, its place in its source's list, its recipe.

internal import Synchronization

/// The one object behind every future, whatever its type.
///
///     glossary
///       result     what the node settles with, kept in `result`
///       source     the node whose result a step transforms; with the step's closure it is the recipe
///       inner      the node whose result a step passes on, once its transform has returned a future
///       listener   a node in another's list, to be run when that other settles
///       watcher    a listener that does not count: it hears of the end, but does not keep off a cancel
///       recipe     what it takes to run afresh: `origin` and `operation`, never changed until deinit
///       local      what belongs to this run only: the operation's disposable
///
///     states                                        ┌──────────── cancel ───────────┐
///                                                   │                               ▼
///        ┌─────────┐  source settles   ┌─────────┐  │  closure returns a value  ┌─────────┐
///        │ waiting │ ────────────────► │ running │ ─┴─────────────────────────► │ settled │
///        └─────────┘   (hop, if need   └─────────┘                              └─────────┘
///             │         be, first)          │ returns a future                       ▲
///             │                             ▼                                        │
///             │                        ┌─────────┐  inner settles                    │
///             │                        │ joined  │ ──────────────────────────────────┤
///             │                        └─────────┘                                   │
///             └───────────── cancel, or a completion from outside (roots) ───────────┘
///
/// "Running" is no state of the word: nobody has to know. `word` holds the listener list while the node is pending,
/// and what it settled as from then on; its lowest bit is the lock. All that is not `let` is guarded by that lock
/// until the node has settled, and never written afterwards; but `isListed`, `next` and `previous`, a node's place in
/// another's list, are guarded by that other's lock. Nobody holds two locks (hand-over excepted, which only tries),
/// and nothing is called or released under one (rule 3).
// Safe to share: as said above. Held by `NodeInterleavingTests` and `NodeStressTests` (thread sanitizer).
@usableFromInline
final class Node: Job, @unchecked Sendable {
    let word = Atomic<UInt>(Word.pending)

    // A place in another node's list.
    var previous: Unmanaged<Node>?
    var isListed = false

    // The recipe.
    private(set) var origin: Origin
    let scheduler: Scheduler
    let traits: Traits
    private(set) var operation: @Sendable (Node, Call) -> Void

    // This run.
    var inner: Node?
    var local: (any Disposable)?
    var progress: Progress = .waiting
    var result: AnyObject?

    init(
        _ origin: Origin, on scheduler: Scheduler, _ traits: Traits = [],
        operation: @escaping @Sendable (Node, Call) -> Void
    ) {
        self.origin = origin
        self.scheduler = scheduler
        self.traits = traits
        self.operation = operation
        super.init()
    }

    deinit {
        ThreadState.here.release(takeRemains())
    }

    /// What the node held, moved out: a chain of a million nodes would overflow the stack if each released its source.
    private func takeRemains() -> Ashes {
        defer {
            origin = .fixed
            operation = { _, _ in }
        }
        return Ashes(origin: origin, operation: operation, inner: inner.take(), result: result.take())
    }

    override func run() {
        // Cancelled while it waited for its turn or for its scheduler: it never begins.
        guard !isSettled else { return }
        if needsScheduler && !scheduler.isCurrent {
            scheduler.backend.enqueue(self, for: scheduler)
        } else {
            operation(self, .arrived)
        }
    }

    private struct Ashes: Remains {
        let origin: Origin
        let operation: @Sendable (Node, Call) -> Void
        let inner: Node?
        let result: AnyObject?
    }
}

/// Where a run comes from.
enum Origin {
    /// A value, an error or a promise: there is nothing to run, a repetition shares the result.
    case fixed
    /// The node's own operation, run at most once for each run.
    case operation
    /// A step: the source's result, transformed by the node's operation.
    case step(Node)
    /// Several futures: a repetition asks for a node that combines repetitions of them.
    case combined(@Sendable () -> Node)
}

/// Which results a node's closure wants; other ones pass it in place, without a hop. And what sort of listener it is.
struct Traits: OptionSet {
    let rawValue: UInt8

    static let values = Traits(rawValue: 1)
    static let failures = Traits(rawValue: 2)
    static let cancellations = Traits(rawValue: 4)
    /// The operation is also called when this node is cancelled from below before it began.
    static let cancels = Traits(rawValue: 8)
    /// A listener that does not count.
    static let watcher = Traits(rawValue: 16)
    /// `local` is a `Sequel`.
    static let sequel = Traits(rawValue: 32)
    /// It never settles, and keeps no listener.
    static let never = Traits(rawValue: 64)

    static let errors: Traits = [.failures, .cancellations]
    static let results: Traits = [.values, .errors]
}

/// How far a run is, where that matters.
enum Progress {
    /// Not begun. Next is `starting` (operations), `begun` (handlers that must run once), or the end.
    case waiting
    /// The operation is running and has not returned its disposable. Next is `completedEarly` or `begun`.
    case starting
    /// It completed before it returned its disposable: the result is there, but not shown. Next is the end.
    case completedEarly(end: UInt)
    /// Begun. Next is the end.
    case begun
}

/// Why a node's operation is called.
enum Call {
    /// The source, or inner, has settled; or it is an operation's turn to begin.
    case arrived
    /// The node was cancelled from below before it began (`Traits.cancels`). It has settled.
    case cancelled
}

/// A disposable that has a job to follow once the node's listeners were served.
protocol Sequel: Disposable {
    var sequel: Job { get }
}

/// A result of any type.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
