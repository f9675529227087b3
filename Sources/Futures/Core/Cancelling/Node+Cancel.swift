// Cancelling: upstream from the last step, up to the first node that has other listeners.

extension Node {
    /// Cancels this node, and the nodes upstream of it that have no other listeners. Returns false if it cancels
    /// nothing, because the node has a result, or listeners that are not watchers.
    ///
    /// In any case, `turn` is served after all jobs that result from this.
    @usableFromInline @discardableResult
    func cancel(before turn: Job? = nil) -> Bool {
        end(with: Self.cancellation, turn: turn, if: .unlessKept)
    }

    /// Fails this node if `condition` allows it, and cancels the nodes upstream of it that have no other listeners.
    /// Returns false if it ends nothing, because the node has a result, or because of the condition.
    ///
    /// In any case, `turn` is served, after all jobs that result from this, and when all that is cancelled by this has
    /// been disposed, even by other threads (`HeldTurns`).
    ///
    /// `store`: stores the value that this node has instead of the error. `isEarly`: whether the node may have
    /// listeners, from which a cancel may come while this thread disposes what the node does not need any more
    /// (`Disposal.swift`).
    @discardableResult
    func end(
        with error: any Error, settling store: ((Node) -> Void)? = nil, turn: Job? = nil, isEarly: Bool = false,
        if condition: EndCondition
    ) -> Bool {
        var hasEnded = false
        ThreadState.here.serve {
            let (ended, jobs) = jobs(endingWith: error, settling: store, turn, isEarly: isEarly, if: condition)
            hasEnded = ended
            return jobs
        }
        return hasEnded
    }

    /// Cancels each of these nodes except for watchers, as `cancel` does, before any callback is called. Returns the
    /// jobs that follow. The caller has to serve them, with the urgent ones first (`ThreadState.serve(ending:)`).
    static func jobs(cancelling nodes: [Node]) -> JobList {
        var jobs = JobList()
        for node in nodes where !node.traits.contains(.watcher) {
            jobs.append(node.jobs(endingWith: cancellation, if: .unlessKept).jobs)
        }
        return jobs
    }

    /// Fails the nodes that are `waiting` in a queue, which has already removed them, and the `running` ones, even if
    /// they have listeners, and cancels what those wait for. Returns the jobs that follow, for the caller to serve.
    static func jobs(aborting waiting: [Node], with error: any Error, ending running: [Node]) -> JobList {
        var jobs = JobList()
        for node in waiting {
            jobs.append(node.jobs(endingWith: error, hasLeftQueue: true, if: .unlessBegun).jobs)
        }
        for node in running {
            jobs.append(node.jobs(endingWith: error, isEarly: true, if: .always).jobs)
        }
        return jobs
    }

    /// Ends the nodes as `end` does, but returns the jobs that follow, for the caller to serve. This calls no user
    /// code.
    ///
    /// It goes upstream from this node, up to the first node that other listeners need, that has settled, or whose result
    /// is stored. Under the lock of each node it stores the error, and takes out what the node has kept and its listeners.
    /// The jobs run in this order:
    ///
    ///     of each node, that     disposes what it has kept ─► its listeners ─► its own handler (`Traits.cancels`)
    ///     farthest upstream first                                                                │
    ///     if this node ends early (`isEarly`): the end of its disposal ─► its own listeners  ◄───┘
    ///     last                   turns: when all of the above has been disposed, by any thread (`HeldTurns`)
    ///
    /// `hasLeftQueue`: whether a queued node that has not begun was already removed by its queue. The queue is not told
    /// then.
    private func jobs(
        endingWith error: any Error, settling store: ((Node) -> Void)? = nil, _ turn: Job? = nil,
        hasLeftQueue: Bool = false, isEarly: Bool = false, if condition: EndCondition
    ) -> (hasEnded: Bool, jobs: JobList) {
        var hasEnded = false
        // In the order from the source downstream: on the way upstream, the jobs of each node are prepended.
        var jobs = JobList()
        var turns = TurnsOfCancel(turn, on: ThreadState.here)
        // The node that another thread is disposing.
        var disposing: Node?
        // The jobs behind what this node disposes, if it ends early.
        var behind = JobList()
        var current: Node? = self
        while let node = current?.resolved {
            current = nil
            guard !node.traits.contains(.never) else { break }
            guard var listeners = node.lock() else {
                if node.isLink {
                    current = node
                } else if node.isDisposing, let held = turns.held() {
                    node.holdUntilDisposed(held)
                }
                continue
            }
            let isFirst = !hasEnded
            guard (isFirst ? condition : .unlessKept).allows(node, with: listeners), !node.hasStoredResult else {
                let isSettling = node.hasStoredResult && !listeners.preventCancel
                node.unlock(listeners)
                if isSettling { disposing = node }
                break
            }
            if node.isStartingToCombine {
                // A job is attaching the combination to its children. When it has done so, it publishes this result and
                // cancels the children.
                node.payload.store(error: isFirst ? error : Self.cancellation)
                node.progress = .stored(isSuccess: false)
                node.combination?.endsWhenStarted(holding: turns.held())
                node.unlock(listeners)
                hasEnded = true
                disposing = node
                break
            }
            let hasNotBegun = !node.hasBegun
            var listenerJobs = node.takeJobs(&listeners)
            turns.jobs.append(
                listenerJobs.removeAll { unsafeDowncast($0, to: Node.self).traits.contains(.afterDisposal) })
            var local = node.takeLocal()
            // A timer disposes nothing. Asked under the lock, behind which `local` is only passed on.
            let isTimer = node.traits.contains(.timed) || local.map { type(of: $0) == DelayedJob.self } ?? false
            let (upstream, hasInner) = (node.upstream, node.inner != nil)
            let cell = node.cell.take()
            let endsEarly = isFirst && isEarly
            if endsEarly { turns.early = node }
            // Its closure may be running: what that returns will be disposed (`startedTooLate`, `endTurn`).
            if node.isInClosure, !hasInner { node.keepLocal(turns.held()?.hold()) }
            let hasValue = isFirst && store != nil
            if hasValue { store?(node) } else { node.payload.store(error: isFirst ? error : Self.cancellation) }
            let end = hasValue ? Word.success : Word.failure
            node.unlock(endedAs: endsEarly ? end | Word.disposes : end)
            withExtendedLifetime(cell) {}
            hasEnded = true

            var own = JobList()
            if let local = local.take() {
                let job = node.disposing(local, holding: isTimer ? nil : turns.held())
                if isTimer, endsEarly { behind.append(job) } else { own.append(job) }
            }
            if endsEarly { behind.append(listenerJobs) } else { own.append(listenerJobs) }
            if hasNotBegun && node.traits.contains(.cancels) {
                if node.traits.contains(.afterDisposal) {
                    turns.jobs.append(CancelJob(node, nil))
                } else {
                    own.append(CancelJob(node, turns.held()))
                }
            }
            jobs.prepend(own)
            if hasNotBegun, !hasLeftQueue, let queued = node.queued {
                turns.jobs.append(ClosureJob(.urgent) { queued.ended() })
            }

            guard let upstream else { continue }
            guard upstream.traits.contains(.never) || upstream.remove(node) else {
                // If it has settled, this node's job, which reads it, may come behind what another thread is disposing.
                if upstream.isSettled { current = upstream }
                continue
            }
            current = upstream
            // Its source will not run its job any more, so what that job would have read is released here.
            node.releaseWhatItsJobReads()
            // A queued node is served once more, only to give back its turn.
            if node.traits.contains(.queued) { turns.jobs.append(node) }
        }
        if let disposing { _ = turns.held(until: disposing) }
        if let early = turns.early {
            if let disposal = turns.disposal {
                jobs.append(disposal)
            } else if !early.tryEndDisposal() {
                jobs.append(HeldTurns(JobList(), within: nil, endingDisposalOf: early))
            }
            jobs.append(behind)
        }
        jobs.append(turns.jobs)
        return (hasEnded, jobs)
    }

    /// Cancels `future`, for which this node would have waited if this node had not settled before. Returns true if
    /// this node's job will run after everything that is cancelled by this, or false if the node has nothing more to
    /// do.
    func cancelUnneeded(_ future: Node) -> Bool {
        defer { endJobOfCancelled() }
        // The turns that have waited for the end of this node's closure wait for the disposal of `future` now. They
        // cannot wait for the end of this node's own turn: a disposable of `future` may cancel this node, whose turn
        // then waits for that disposable.
        let (isQueued, turns) = (traits.contains(.queued), turnsOfClosure())
        guard future !== self else {
            turns?.release()
            return false
        }
        ThreadState.here.holding(turns) { _ = future.cancel(before: isQueued ? self : nil) }
        return isQueued
    }

    static let cancellation: any Error = CancellationError()

    /// Whether this is a combination that a job of a repetition is attaching to its children. Requires the lock.
    private var isStartingToCombine: Bool {
        guard traits.contains(.combines), case .starting = progress else { return false }
        return true
    }

    /// Whether this is an operation that is starting, a step whose closure is called in its turn (`Traits.inTurn`), or
    /// a queued node that has its turn. Requires the lock.
    private var isInClosure: Bool {
        if case .starting = progress { true } else { traits.contains(.queued) && hasBegun }
    }

    /// Whether there is a result that is stored, but not published yet. Requires the lock.
    var hasStoredResult: Bool {
        if case .stored = progress { true } else { false }
    }
}

/// A job that calls the handler of a cancelled node on the node's scheduler.
// Safe to share: only the thread that runs the job accesses `held`.
private final class CancelJob: Job, @unchecked Sendable {
    private let node: Node
    @exclusivity(unchecked) private var held: HeldTurns?

    init(_ node: Node, _ held: HeldTurns?) {
        self.node = node
        self.held = held
        super.init()
        held?.hold()
    }

    override func run() {
        let held = held.take()
        node.scheduler._withUnsafeGuaranteedRef { scheduler in
            if scheduler.isCurrent {
                ThreadState.here.holding(held) { node.operation(node, .cancelled) }
            } else {
                // No turn waits for a handler on another scheduler.
                held?.release()
                scheduler.enqueueLast(self)
            }
        }
    }

    override var urgency: Urgency {
        if node.traits.contains(.afterDisposal) { return .following }
        let scheduler = node.scheduler.takeUnretainedValue()
        return scheduler.isInPlace || !scheduler.isCurrent ? .urgent : .callback
    }
}
