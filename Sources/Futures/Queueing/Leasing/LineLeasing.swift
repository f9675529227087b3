// LineLeasing: how a line gets an outer lease for each turn.

/// How a line gets an outer lease for each turn, and the turns that have one or ask for one.
final class LineLeasing: Sendable {
    let provider: any OuterLeaseProvider
    /// What the lease of a lane is called. It may call the user's code.
    let name: @Sendable (Lane?) -> String
    /// The scheduler on which the provider is called, and whose clock measures leases.
    let scheduler: Scheduler
    private enum Entry {
        case turn(LeasedTurn)
        /// A turn that has ended before its lease could be asked for: another thread has yet to call `requestJob`.
        case ended
    }

    /// By their lanes: a lane has one turn at a time.
    private let entries = Locked<[ObjectIdentifier?: Entry]>([:])

    init(
        from provider: any OuterLeaseProvider, on scheduler: Scheduler,
        named name: @escaping @Sendable (Lane?) -> String
    ) {
        self.provider = provider
        self.scheduler = scheduler
        self.name = name
    }

    /// The turn of a lane, with its lease or the request of one.
    subscript(lane: Lane?) -> LeasedTurn? {
        entries.withLock { if case .turn(let turn)? = $0[lane.map(ObjectIdentifier.init)] { turn } else { nil } }
    }

    /// A job that asks for a lease, and then starts the operation.
    func requestJob(for node: LineNode, in line: Line) -> Job {
        let (turn, lane) = (LeasedTurn(of: node, in: line, self), node.lane)
        let hasEnded = entries.withLock { entries in
            let key = lane.map(ObjectIdentifier.init)
            guard entries.removeValue(forKey: key) == nil else { return true }
            entries[key] = .turn(turn)
            return false
        }
        return hasEnded ? turn.endedJob : ClosureJob(.following) { turn.request() }
    }

    /// A job that ends the turn of a lane; nil if `requestJob` is about to return it.
    func endJob(for lane: Lane?) -> Job? {
        let turn = entries.withLock { entries -> LeasedTurn? in
            let key = lane.map(ObjectIdentifier.init)
            if case .turn(let turn)? = entries[key] { return turn }
            entries[key] = .ended
            return nil
        }
        return turn?.endJob
    }

    /// The lane's turn has ended.
    func forget(_ lane: Lane?) {
        // Its entry is released without the lock.
        let entry = entries.withLock { $0.removeValue(forKey: lane.map(ObjectIdentifier.init)) }
        withExtendedLifetime(entry) {}
    }
}

// What a line does otherwise if its turns have leases. Not inlined: other lines take one branch.
extension Line {
    /// Asks for the lease of an operation that has its turn.
    @inline(never)
    func beginLeased(_ node: LineNode) { ThreadState.here.serve(leasing!.requestJob(for: node, in: self)) }

    /// Replaces the first job, if that is an operation that has its turn, by one that asks for its lease. (Of an
    /// action's jobs, an operation is always the first: see `LineState.proceed`.)
    @inline(never)
    func requestLease(forFirstOf jobs: inout JobList) {
        guard let node = jobs.firstJob as? LineNode, node.kind == .operation else { return }
        // It was retained by the list.
        _ = jobs.popFirst()
        jobs.prepend(JobList(leasing!.requestJob(for: node, in: self)))
    }

    /// Removes a node that has completed, or was cancelled while it waited. A turn ends when its lease is released.
    @inline(never)
    func leaveLeased(_ node: LineNode) {
        let (action, endsTurn) = change { $0.leaveKeepingTurn(node) }
        proceed(action)
        if endsTurn, let job = leasing!.endJob(for: node.lane) { ThreadState.here.serveLast(JobList(job)) }
    }

    /// Gives up what has kept the turn of a node that may have left.
    @inline(never)
    func releaseLeased(_ node: LineNode?, _ lane: Lane?) {
        if !state.withLock({ $0.releaseKeepingTurn(node) }) { endLease(of: lane) }
    }

    /// Ends the turn of a lane that no node has, from wherever that is done.
    @inline(never)
    func endLease(of lane: Lane?) {
        if let job = leasing!.endJob(for: lane) { ThreadState.here.serve(job) }
    }
}
