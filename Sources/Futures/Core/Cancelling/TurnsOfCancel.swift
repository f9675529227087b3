// TurnsOfCancel: what a cancel runs last, when everything that it has cancelled has been disposed.

/// The jobs that a cancel runs last: those that give back turns, the listeners with `Traits.afterDisposal`, and the
/// handlers of cancelled nodes.
// A struct, because the compiler would check each access to variables that a local function changes.
struct TurnsOfCancel {
    var jobs: JobList
    /// The node of which this thread disposes what it does not need any more, if it ends early.
    var early: Node?
    /// What ends the disposal of that node, if there is something that it waits for.
    private(set) var disposal: HeldTurns?
    private var outer: HeldTurns?
    /// Whether the cancel is part of another one, whose turns have not been asked for yet.
    private var isWithin: Bool
    private let thread: ThreadState

    init(_ turn: Job?, on thread: ThreadState) {
        jobs = turn.map(JobList.init) ?? JobList()
        isWithin = thread.isHolding
        self.thread = thread
    }

    /// Returns the turns that wait for what the cancel disposes next, or nil if no turns wait for it.
    ///
    /// `disposing`: a node that another thread is disposing.
    mutating func held(until disposing: Node? = nil) -> HeldTurns? {
        guard isWithin || outer != nil || !jobs.isEmpty || early != nil else { return nil }
        if isWithin { (outer, isWithin) = (thread.held, false) }
        if let early, disposal == nil {
            disposal = HeldTurns(JobList(), within: outer.take(), endingDisposalOf: early)
            outer = disposal
        }
        if jobs.isEmpty, disposing == nil, let outer { return outer }
        let held = HeldTurns(jobs.take(), within: outer.take(), until: disposing)
        jobs.append(held)
        return held
    }
}
