// Node: the one object behind every future: its result, its place in its source's list, and its recipe.

public import Synchronization

/// The one object behind every future, whatever its type.
///
///     glossary
///       result     the value or error with which the node settles, kept in `payload`
///       publish    to store in the state word that the node has settled: only then can others see its result
///       source     the node whose result a step transforms
///       inner      the node whose result a step passes on, once the step's closure has returned a future
///       listener   a node in another node's list, which is run when that other node settles
///       watcher    a listener that does not prevent a cancel, and is run before the other listeners
///       recipe     what a repetition runs again: source, traits, operation, closure, scheduler, origin
///       local      what belongs to this run only: the operation's disposable, or that of a combination or a queue;
///                  once the node has settled, what it has left unfinished (`Unfinished`)
///       link       what becomes of a node that only passes on its inner node's result (`Node+HandOver.swift`)
///       parent     the node downstream to which listeners report: it combines several others (join, select), or follows
///                  one. Those others are its children
///       root       a node without a source: a promise, an operation, a combination, a value, or `Future.never`
///       step       a node with a source, made by an operator
///       job        what a thread runs once in its loop; each node is one (`Job`)
///       hop        to enqueue a job on another scheduler instead of running it in place
///       turn       the right of an operation to run in its queue; a permit is one as a value
///       upstream   towards the source, the inner node or the children; a cancel goes there. Results go downstream
///       repetition a copy of a chain whose operation runs again (`Node+Rerun.swift`)
///       in place   on the thread that runs the node's job, without a hop to a scheduler
///
///     states                                        ┌──────────── cancel ───────────┐
///                                                   │                               ▼
///        ┌─────────┐  source settles   ┌─────────┐  │  closure returns a value  ┌─────────┐
///        │ waiting │ ────────────────► │ running │ ─┴─────────────────────────► │ settled │
///        └─────────┘   (perhaps after  └─────────┘                              └─────────┘
///             │         a hop)              │ returns a future                       ▲
///             │                             ▼                                        │
///             │                        ┌─────────┐  inner settles                    │
///             │                        │ passing │ ──────────────────────────────────┤
///             │                        └─────────┘                                   │
///             │                             │ hands its listeners to its inner  ┌────────┐
///             │                             └─────────────────────────────────► │ linked │ (settled as
///             │                                                                 └────────┘  its target is)
///             └───────────── cancel, or a completion from outside (roots) ──► settled
///
///     who takes a node on
///       waiting to running   the node's own job, run by the thread that settles the source, or that attaches the node to a
///                            settled one, or, after a hop, on the node's scheduler
///       running to settled   the node's own job (`settleInJob`)
///       running to passing   the node's own job (`wait(for:)`)
///       passing to settled   the node's own job, run by the thread that settles the inner node
///       passing to linked    the node's own job, or a thread that attaches a passing listener or ends unfinished work
///                            (`handOver`)
///       any to settled       a thread that cancels or fails the node (`end`), or that completes a root
///                            (`settleFromOutside`)
///
/// A passing node can be cancelled, too. What starts or disposes something has two states more (`Progress`). The word knows
/// only pending, with the list of listeners, locked, settled and linked (`Word`).
///
///     property                     guarded by
///       previous, next               the lock of the node in whose list this node is; that of its queue, if it waits in
///                                    one; while it is in a job list, they belong to the thread that has that list
///       source                       does not change
///       inner                        this node's lock while this node is in the inner node's list; then it belongs to
///                                    this node's job, also if the node was cancelled (`releaseWhatItsJobReads`)
///       parentOrCell                 a parent: the same, of a listener that is in its child's list; a cell: this node's lock
///       payload                      this node's lock, then its references (`Node+ReleaseResults.swift`)
///       word, marks                  atomic
///       all others                   this node's lock; only the deinit writes them once the node has settled
///
/// What the core expects of the thread (`ThreadState`, in Scheduling), which runs each job in a loop:
///
///       serve        runs jobs, and all that they lead to, before it returns; in a job, only urgent ones
///       serveNext    adds jobs that run right after the job in progress
///       serving      runs a step in the middle of a job, and the urgent jobs that it adds, before it returns
///
/// So within a job, listeners are only queued, and a chain of any length takes constant stack. The callbacks of a future
/// that a callback completes are called right behind that callback. A callback is a user's closure that runs on a
/// scheduler. An urgent job calls none, and never waits for one; it may call a disposable, or a closure of `.immediate`. A
/// following job never overtakes a callback.
///
/// FuturesDiagnostics reads the members that are `package`, and writes `marks`. `#if EXPLORING` is for the explorer of
/// thread orders (Sources/Futures/Exploring): in other builds, its calls are empty.
///
/// No thread waits for a node's lock while it holds the lock of another node. Under a node's lock, only those of a
/// `LinkCell` and of the meetings of `Unfinished` are taken. While a node's lock is held, no user code is called, not even by a deinit.
// Safe to share: see the rules above. Tested by `Properties` and `Stress`, under the thread sanitizer. `source`, `inner`,
// `scheduler` and what a node keeps are retained once and released by hand, at the latest in `tearDown`; a scheduler that
// is never deallocated is not. So reading them takes no reference: references are the greater part of what a step costs.
// `@exclusivity(unchecked)`: the lock prevents simultaneous accesses. Checking for them took 20-50 % of a map.
@usableFromInline
package class Node: Job, @unchecked Sendable {
    /// What a node does when its source has settled or its turn has come, and on the other events of `NodeEvent`. It is
    /// not called to pass on the result of an inner node. Usually it captures nothing: the user's closure is `closure`.
    @usableFromInline
    typealias Operation = @Sendable (Node, NodeEvent) -> Void

    @usableFromInline final let word = Atomic<UInt>(0)
    /// The listener ahead of this one in its list (`Listeners`); nil before this node is in one, and when it was removed.
    @exclusivity(unchecked) final var previous: Unmanaged<Node>?
    @usableFromInline package final let traits: Traits

    // The state of this run.
    @exclusivity(unchecked) final var progress: Progress = .waiting

    /// What has become true of this node, and never becomes false again (`Marks`).
    @usableFromInline package final let marks = Marks()
    /// The number of listeners that do more than pass on the result.
    @exclusivity(unchecked) final var otherListenerCount: Int32 = 0

    // The recipe. The operation may bind task-local values: that changes it, before other threads know this node.
    @exclusivity(unchecked) @usableFromInline package final var source: Unmanaged<Node>?
    @exclusivity(unchecked) @usableFromInline package final var scheduler: Unmanaged<Scheduler>
    @exclusivity(unchecked) @usableFromInline package final var operationSlot: Slot
    @exclusivity(unchecked) @usableFromInline final var closureSlot: Slot
    @usableFromInline package final let origin: FutureError.SourceLocation

    // The state of this run, continued.
    @exclusivity(unchecked) @usableFromInline final var inner: Unmanaged<Node>?
    /// What this node keeps for its run (`Kept`).
    @exclusivity(unchecked) final var localObject: Unmanaged<any AnyObject & Sendable>?
    @exclusivity(unchecked) final var parentOrCell: ParentOrCell?
    #if EXPLORING
        @usableFromInline final var explored = Payload()
        @usableFromInline final var payload: Payload {
            @usableFromInline _read {
                noteExplored(.read, of: self)
                yield explored
            }
            @usableFromInline _modify {
                noteExplored(.write, of: self)
                yield &explored
            }
        }
    #else
        @exclusivity(unchecked) @usableFromInline final var payload = Payload()
    #endif

    @inlinable
    init(
        source: consuming Node?, on scheduler: Scheduler, _ traits: Traits, _ closure: consuming Closure,
        origin: FutureError.SourceLocation = .init(), operation: @escaping Operation
    ) {
        self.origin = origin
        self.source = source.map { .passRetained($0) }
        self.scheduler = scheduler.isImmortal ? .passUnretained(scheduler) : .passRetained(scheduler)
        self.traits = traits
        closureSlot = Slot(closure)
        operationSlot = Slot(OperationBox(operation))
        super.init()
        noteExplored(.forget, of: self)
        countExploredNode(1)
    }

    deinit {
        countExploredNode(-1)
        noteExplored(.forget, of: self)
        tearDown()
    }

    /// The function that this node's job calls.
    @inlinable final var operation: Operation { operationSlot.content(as: OperationBox.self).call }

    /// The user's closure, or a closure of the library in its place.
    @inlinable final var closure: Closure { closureSlot.content(as: Closure.self) }

    /// The operation as a struct, as `Slot` requires.
    @usableFromInline
    struct OperationBox {
        @usableFromInline let call: Operation
        @inlinable init(_ call: @escaping Operation) { self.call = call }
    }

    /// Runs the node's job: its source has settled, or its inner node has, or its operation may start.
    final override package func run() {
        // The node was cancelled before its job came, or it is a queued node, whose listeners have been run.
        guard !isSettled else {
            if let inner { endClosure(as: inner) }
            endJobOfCancelled()
            releaseWhatItsJobReads()
            // Last: another thread may run this job again from here on.
            queued?.endTurn()
            return
        }
        // `inner` and `parent` belong to this job. A cancel leaves them alone if it does not find the node in a list.
        if let inner {
            settleInJob(as: inner)
            queued?.endTurnAfterListeners()
            releaseWhatItsJobReads()
            return
        }
        if scheduler._withUnsafeGuaranteedRef({ $0.isCurrent }) || !needsScheduler {
            guard !callsClosure || tryBegin() else { return }
            operation(self, .arrived)
        } else {
            scheduler._withUnsafeGuaranteedRef { $0.enqueueLast(self) }
        }
    }

    // Or that of the node that it listens to: most steps have none.
    final override package var sourceInWords: String? {
        let known = origin.fileID.isEmpty ? withLock { _ in upstream?.origin } ?? nil : origin
        return known.flatMap { $0.fileID.isEmpty ? nil : "\($0)" }
    }

    /// Callbacks of one future on a concurrent scheduler are called one at a time, in the order in which they were attached.
    /// (In place, one that another thread attaches after the end may be called first.)
    final override package var strand: UInt? { source.map { UInt(bitPattern: $0.toOpaque()) } }

    // It does not order the listeners of a node. Called only where `run` could be called, so it reads what `run` reads.
    final override package var urgency: Urgency {
        // A queued node that has settled gives back its turn, after its listeners were called.
        if isSettled { return traits.contains(.queued) ? .following : .urgent }
        // A combination in a repetition attaches to its children after they have started.
        if traits.contains(.combines) { return .following }
        // This is read between any two jobs, so the cheap tests come first, and no reference is counted.
        guard scheduler._withUnsafeGuaranteedRef({ !$0.isInPlace && $0.isCurrent }) else { return .urgent }
        return needsScheduler ? .callback : .urgent
    }

    final override package var onlyScheduler: Scheduler? {
        isSettled || traits.contains(.combines) || !needsScheduler ? nil : scheduler.takeUnretainedValue()
    }

    /// Starts an operation: in place if its scheduler is current or not needed, otherwise through its scheduler.
    @usableFromInline
    final func start() {
        if Recording.hasExtras { prepareToStart() }
        scheduler._withUnsafeGuaranteedRef {
            if $0.isCurrent || !needsScheduler { operation(self, .arrived) } else { $0.enqueue(self) }
        }
    }

    /// Releases what this node's job reads without the lock: in the job itself, or in a cancel that prevents the job.
    ///
    /// A cancel of a passing node may race with its inner node, which settles. This node's lock decides which of them
    /// settles this node; the lock of the inner node, which of them has this node's place in the inner node's list:
    ///
    ///     the cancel has removed this node       it releases the list's reference, `inner` and `parent`, and continues
    ///     from the list                          upstream
    ///     the inner node has taken the list      its thread has the list's reference, and runs this node's job, which
    ///                                            finds this node settled, and releases `inner` and `parent`
    ///     the inner node is `Future.never`,      the cancel releases them, even if `wait(for:)` is in progress: that
    ///     which has no list                      reads none of them without this node's lock
    ///     this node is not in the list yet       `add` finds this node settled; the job in progress releases them, and
    ///     (`wait(for:)`)                         cancels the inner node (`cancelUnneeded`)
    final func releaseWhatItsJobReads() {
        _ = takeInner()
        if parent != nil { parentOrCell.take()?.release() }
    }

    /// Whether the operation may call a closure, of users or of the library, and does not begin by itself.
    private var callsClosure: Bool {
        source != nil && traits.isDisjoint(with: [.later, .accompanied, .cancels, .listens])
    }

    private var needsScheduler: Bool {
        guard inner == nil, !traits.contains(.later) else { return false }
        return source == nil || wants(arrived)
    }

    /// Whether the node's closure wants the result of `other`, which has settled.
    @inlinable
    final func wants(_ other: Unmanaged<Node>) -> Bool { traits.contains(other.outcome) }
}
