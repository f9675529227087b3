// Node: the one object behind every future: its result cell, its place in its source's list, its recipe.

public import Synchronization

/// The one object behind every future, whatever its type.
///
///     glossary
///       result     what the node settles with, kept in `payload`
///       source     the node whose result a step transforms; with the step's closure it is the recipe
///       inner      the node whose result a step passes on, once its transform has returned a future
///       listener   a node in another's list, to be run when that other settles
///       watcher    a listener that does not count: it hears of the end, but does not keep off a cancel
///       recipe     what it takes to run afresh: source, closure and scheduler, never changed; and where it was made
///       local      what belongs to this run only: the operation's disposable
///       link       what becomes of a node that only passes on its inner one's result (`Node+HandOver.swift`)
///       parent     the node that combines several others (join, select), to which their listeners report
///       dormant    waiting for a future that never completes (`Node+Dormant.swift`)
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
///             │                             │ hands its listeners to its inner  ┌────────┐
///             │                             └─────────────────────────────────► │ linked │ (settled as
///             │                                                                 └────────┘  its target is)
///             └───────────── cancel, or a completion from outside (roots) ──► settled
///
/// "Running" and "joined" are no states of the word: that holds the listener list while the node is pending, and what
/// became of it from then on; its lowest bit is the lock. All that is not `let` is guarded by that lock until the node
/// has settled, and not written afterwards, but for the release of results (`Node+Claim.swift`), and for `inner` and
/// `parent` of a node that was cancelled, which belong to its job then (`releaseWhatItsJobReads`). Only `isListed`,
/// `next` and `previous`, a node's place in another's list, are guarded by that other's lock; or, of a queued node, by
/// the lock of its queue. Nobody waits for a second lock while holding one, and nothing is called or released for the
/// last time under one.
// Safe to share: as said above. Held by the tests in `Properties` and `Stress`, under the thread sanitizer.
// `source`, `inner`, `parent`, `cell` and `scheduler` are retained once by hand (`passRetained` to `release`, at the
// latest in `bury`): reading them takes no reference then, and references are the greater part of what a step costs.
// `@exclusivity(unchecked)`: the lock is what keeps accesses apart; measured at 20-50 % of a map otherwise.
@usableFromInline
class Node: Job, @unchecked Sendable {
    /// What a node does when its source has settled, or its turn has come. (It passes on the result of an inner node
    /// without it.) It captures nothing: the user's closure is `closure`.
    @usableFromInline
    typealias Operation = @Sendable (Node, Call) -> Void

    // The first ones, in this order: `Listeners` reads the links and traits of neighbours by their place.
    @usableFromInline final let word = Atomic<UInt>(0)
    @exclusivity(unchecked) final var previous: Unmanaged<Node>?
    @usableFromInline final let traits: Traits
    @exclusivity(unchecked) final var isListed = false
    /// Whether this node has a claim on the result of what it listens to: `Node+Claim.swift`.
    @exclusivity(unchecked) final var claimsSource = false
    @exclusivity(unchecked) final var claimsInner = false

    // This run.
    @exclusivity(unchecked) final var isDormant = false
    @exclusivity(unchecked) final var progress: Progress = .waiting

    /// Whether it waits for a queued node, at any distance, or did so: only then a search for deadlocks may find
    /// anything upstream. It never becomes false again.
    @usableFromInline final let isBehindQueue = Atomic<Bool>(false)

    // The recipe.
    @exclusivity(unchecked) @usableFromInline final var source: Unmanaged<Node>?
    @usableFromInline final let scheduler: Unmanaged<Scheduler>
    @exclusivity(unchecked) @usableFromInline final var operationSlot: Slot
    @exclusivity(unchecked) @usableFromInline final var closureSlot: Slot
    @usableFromInline final let origin: FutureError.Origin

    // This run again.
    @exclusivity(unchecked) @usableFromInline final var inner: Unmanaged<Node>?
    @exclusivity(unchecked) final var localSlot = Slot()
    @exclusivity(unchecked) final var cellReference: Unmanaged<LinkCell>?
    /// How many listeners want more than to pass on the result.
    @exclusivity(unchecked) final var otherCount: Int32 = 0
    /// How many listeners there are, watchers too: each has a claim on the result.
    @exclusivity(unchecked) final var listenerCount: Int32 = 0
    @exclusivity(unchecked) final var parent: Unmanaged<Node>?
    @exclusivity(unchecked) @usableFromInline final var payload = Payload()
    /// Of a combination, how many children may still settle it.
    @exclusivity(unchecked) final var number: Int32 = 0

    @inlinable
    init(
        source: consuming Node?, on scheduler: Scheduler, _ traits: Traits, _ closure: consuming Closure,
        origin: FutureError.Origin = .init(), operation: @escaping Operation
    ) {
        self.origin = origin
        self.source = source.map { .passRetained($0) }
        self.scheduler = scheduler.isImmortal ? .passUnretained(scheduler) : .passRetained(scheduler)
        self.traits = traits
        closureSlot = Slot(closure)
        operationSlot = Slot(Step(operation))
        super.init()
    }

    deinit { bury() }

    /// What the node does when its turn has come.
    @inlinable var operation: Operation { operationSlot.content(as: Step.self).call }

    /// The user's closure, or what stands for it.
    @inlinable var closure: Closure { closureSlot.content(as: Closure.self) }

    /// The operation as a struct, as `Slot` wants it.
    @usableFromInline
    struct Step {
        @usableFromInline let call: Operation
        @inlinable init(_ call: @escaping Operation) { self.call = call }
    }

    /// The source has settled, or the inner node, or an operation may begin.
    @usableFromInline
    final override package func run() {
        // Cancelled while it waited for its turn or for its scheduler: it never begins. Or it is a queue's, and its
        // listeners were served.
        guard !isSettled else {
            // `urgency` has read the outcome.
            publishReads()
            queued?.ended()
            ThreadState.here.endsJob()
            releaseWhatItsJobReads()
            return
        }
        // `inner` and `parent` are this job's: a cancel that finds the node in no list leaves them alone.
        if let inner {
            finish(as: inner)
            queued?.isOver()
            ThreadState.here.endsJob()
            releaseWhatItsJobReads()
            return
        }
        if scheduler._withUnsafeGuaranteedRef({ $0.isCurrent }) || !needsScheduler {
            operation(self, .arrived)
        } else {
            scheduler._withUnsafeGuaranteedRef { $0.backend.enqueueLast(self, for: $0) }
        }
    }

    // It reads what `run` reads, at the same time as that would.
    final override package var urgency: Urgency {
        // A queue's node that is over gives back its turn, once those were called who listened to it.
        if isSettled { return traits.contains(.queued) ? .following : .urgent }
        // A combination that is repeated listens to its futures when they have begun.
        if traits.contains(.combines) { return .following }
        // Asked between any two jobs: the cheap questions first, and no reference is counted.
        guard scheduler.toOpaque() != Unmanaged.passUnretained(Scheduler.inPlace).toOpaque(),
            scheduler._withUnsafeGuaranteedRef({ $0.isCurrent })
        else { return .urgent }
        return needsScheduler ? .callback : .urgent
    }

    /// Begins an operation, from wherever it was made.
    @usableFromInline
    func start() {
        scheduler._withUnsafeGuaranteedRef {
            if $0.isCurrent || !needsScheduler { operation(self, .arrived) } else { $0.backend.enqueue(self, for: $0) }
        }
    }

    /// Releases what this node's job reads without the lock: by the job itself, or by who keeps it from running. There
    /// is something if the node was cancelled.
    func releaseWhatItsJobReads() {
        releaseInner()
        if let parent = parent.take(), !isDormant { parent.release() }
    }

    private var needsScheduler: Bool {
        guard inner == nil, !traits.contains(.later) else { return false }
        return source == nil || traits.contains(arrived.outcome)
    }
}

/// Which results a node's closure wants; other ones pass it in place, without a hop. And what sort of node it is.
@usableFromInline
struct Traits: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt16

    @inlinable init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable static var values: Traits { Traits(rawValue: 1) }
    @inlinable static var failures: Traits { Traits(rawValue: 2) }
    @inlinable static var cancellations: Traits { Traits(rawValue: 4) }
    @inlinable static var errors: Traits { [.failures, .cancellations] }
    @inlinable static var results: Traits { [.values, .errors] }

    /// The operation is also called when this node is cancelled from below before it began.
    @inlinable static var cancels: Traits { Traits(rawValue: 8) }
    /// A listener that does not count.
    @inlinable static var watcher: Traits { Traits(rawValue: 16) }
    /// A root that waits for its turn in a queue: a `QueuedNode`.
    @inlinable static var queued: Traits { Traits(rawValue: 32) }
    /// It never settles, and keeps no listener.
    @inlinable static var never: Traits { Traits(rawValue: 64) }
    /// A root that has an operation of its own, run afresh by a repetition.
    @inlinable static var begins: Traits { Traits(rawValue: 128) }
    /// A root whose closure makes the node that does the same once more.
    @inlinable static var combines: Traits { Traits(rawValue: 256) }
    /// It reads its source for somebody else, and must leave it its result.
    @inlinable static var listens: Traits { Traits(rawValue: 512) }
    /// Its operation is called in place, without a hop, but schedules the result on the node's scheduler, as a delay
    /// does.
    @inlinable static var later: Traits { Traits(rawValue: 1024) }
}

/// Why a node's operation is called.
@usableFromInline
enum Call {
    /// The source, or inner, has settled; or it is an operation's turn to begin.
    case arrived
    /// The node was cancelled from below before it began (`Traits.cancels`). It has settled.
    case cancelled
}

/// How far a run is, where that matters.
enum Progress {
    /// Not begun. Next is `starting` (operations), `begun` (handlers that must run once), or the end.
    case waiting
    /// The operation is running and has not returned its disposable. Next is `completedEarly`, `begun`, or the end.
    case starting
    /// It completed before it returned its disposable, or is disposing that: the result is there, but not shown. Next
    /// is the end.
    case completedEarly(isSuccess: Bool)
    /// Begun. Next is the end, or `completedEarly` while it disposes.
    case begun
}
