// HeldTurns: turns that are given back when all that a cancel disposes has been disposed.

internal import Synchronization

/// The last job of a cancel, which gives back turns in queues when everything that the cancel disposes has been
/// disposed: an operation's resource is in use until then.
///
///     cancel ──► the operation ──► join ──► a source ── its disposable is being disposed by another thread
///                     │             └─────► a source ── its disposable is disposed by this cancel
///                     └── its turn: held until both have returned
///
/// Each of these holds the turns: the job itself, each disposable and handler that the cancel calls, each node that
/// another thread is disposing, and each node whose operation is running and has yet to return its disposable. What
/// such a disposable or handler cancels, directly or because it is a combination, is part of the cancel: if that finds
/// turns or disposals, it makes another object, which holds the outer one (`held`).
// Safe to share: the thread that counts down to zero takes `turns` and `outer`. Before that, they are only read, by
// holders. Tested by the explored scenarios in `ScenarioTests`.
final class HeldTurns: Job, Disposable, @unchecked Sendable {
    @exclusivity(unchecked) private var turns: JobList
    @exclusivity(unchecked) private(set) var outer: HeldTurns?
    private let disposing: Node?
    let ending: Node?
    /// Whether these, or outer ones, end the disposal of a node.
    let isPartOfDisposal: Bool
    private let holders: Atomic<Int>

    /// `outer`: turns that are given back after these. `disposing`: a node that another thread, or this one further
    /// out, is disposing. `ending`: the node whose disposal these end (`Disposal.swift`).
    init(
        _ turns: consuming JobList, within outer: HeldTurns?, until disposing: Node? = nil,
        endingDisposalOf ending: Node? = nil
    ) {
        // A cancel adds the turns of one node after the other: the first job may be the `HeldTurns` of the node
        // downstream.
        let before = turns.firstJob as? HeldTurns
        isPartOfDisposal = ending != nil || outer?.isPartOfDisposal ?? false || before?.isPartOfDisposal ?? false
        if isPartOfDisposal, !turns.isEmpty { turns = Self.separating(turns) }
        self.turns = turns
        self.outer = outer
        self.disposing = disposing
        self.ending = ending
        holders = Atomic(1)
        super.init()
        outer?.hold()
    }

    /// Adds a holder, for which it returns this object. Requires one.
    @discardableResult
    func hold() -> HeldTurns {
        holders.add(1, ordering: .relaxed)
        return self
    }

    /// Removes a holder; the last one gives back the turns, and then removes itself from the outer ones, and so on.
    func release() {
        var (current, waiting) = (Optional(self), [HeldTurns]())
        while let held = current ?? waiting.popLast() {
            current = nil
            guard held.holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { continue }
            ThreadState.here.serveNext(held.turns.take())
            if let ending = held.ending { waiting += ending.endDisposal().reversed() }
            current = held.outer.take()
        }
    }

    /// Those of other nodes among the turns. The caller is a holder.
    var parts: [HeldTurns] {
        var parts: [HeldTurns] = []
        turns.forEach { if let part = $0 as? HeldTurns { parts.append(part) } }
        return parts
    }

    /// The result of `disposing` is published. That node may have ended early: then the rest is still being disposed.
    func dispose() {
        if let disposing, disposing.isDisposing { disposing.holdUntilDisposed(self) }
        release()
    }

    /// Calls `body` with the nodes whose turns these are. The caller is a holder: as long as it is one, they do not
    /// change.
    func forEachTurn(_ body: (Node) -> Void) {
        // An explicit stack, because each node of a chain that disposes something adds a level.
        var pending = [self]
        while let held = pending.popLast() {
            held.turns.forEach { job in
                if let node = job as? Node { body(node) } else if let held = job as? HeldTurns { pending.append(held) }
            }
            if let ending = held.ending { pending += ending.turnsBehindDisposal }
            if let outer = held.outer { pending.append(outer) }
        }
    }

    /// Returns the jobs, with the turns among them in an object of their own, which is no part of any disposal.
    private static func separating(_ jobs: consuming JobList) -> JobList {
        var parts = jobs.removeAll { type(of: $0) == HeldTurns.self }
        if !jobs.isEmpty { parts.append(HeldTurns(jobs, within: nil)) }
        return parts
    }

    override func run() {
        guard let disposing else { return release() }
        // Until its result is published.
        Node.dispose(self, after: disposing)
    }

    override var endsTurn: Bool { true }

    // The callbacks ahead of it are called first.
    override var urgency: Urgency { .following }
}

extension ThreadState {
    /// What a disposable or handler in progress is part of.
    enum Holder {
        /// Something that ends turns: these.
        case turns(Unmanaged<HeldTurns>)
        /// The disposal of a node, within these turns. The object that ends it is created when it is asked for.
        case disposal(of: Unmanaged<Node>, within: Unmanaged<HeldTurns>?)
    }

    /// The turns that the disposable or handler in progress holds. What a loop inside of that runs is no part of it.
    var held: HeldTurns? { isHolding ? heldFurtherOut : nil }

    /// Whether there are such turns.
    var isHolding: Bool { storage.pointee.held.map { $0.frame == storage.pointee.frame } ?? false }

    /// The turns that a disposable or handler in progress holds, perhaps further out.
    var heldFurtherOut: HeldTurns? {
        switch storage.pointee.held?.by {
        case nil: return nil
        case .turns(let turns): return turns.takeUnretainedValue()
        case .disposal(let node, let outer):
            let made = HeldTurns(
                JobList(), within: outer?.takeUnretainedValue(), endingDisposalOf: node.takeUnretainedValue())
            storage.pointee.held?.by = .turns(.passRetained(made))
            return made
        }
    }

    /// Calls `body`, which disposes something or calls a handler, and removes the holder that was added for that.
    func holding(_ turns: HeldTurns?, _ body: () -> Void) {
        guard let turns else { return body() }
        let outer = storage.pointee.held
        storage.pointee.held = (.turns(.passUnretained(turns)), storage.pointee.frame)
        body()
        storage.pointee.held = outer
        turns.release()
    }

    /// Calls `body`, which cancels the children of `node`, a combination that is ending. Returns the job behind all
    /// that is disposed by that, or nil if there is nothing: mostly, so it is created when it is asked for.
    func disposing(of node: Node, _ body: () -> Void) -> HeldTurns? {
        // First `held`, which may create the object that `outer` is to refer to.
        let within = held
        let outer = storage.pointee.held
        storage.pointee.held = (
            .disposal(of: .passUnretained(node), within: within.map { .passUnretained($0) }), storage.pointee.frame
        )
        body()
        let holder = storage.pointee.held?.by
        storage.pointee.held = outer
        guard case .turns(let turns) = holder else { return nil }
        return turns.takeRetainedValue()
    }
}

extension Scheduler {
    /// Calls `body`, which disposes or cancels something, in a job of this scheduler. The turns in queues that a cancel
    /// in progress gives up wait for it.
    func asyncHoldingTurns(_ body: @escaping @Sendable () -> Void) {
        let turns = ThreadState.here.held?.hold()
        async { ThreadState.here.holding(turns, body) }
    }
}
