// Cancelling: upwards from the last step, as far as nobody else listens.

extension Node {
    /// Cancels the node, and the nodes above it that nobody else listens to; false if that may not be, as
    /// somebody listens or it has a result.
    @usableFromInline @discardableResult
    func cancel() -> Bool {
        end(with: Self.cancellation) { _, listeners in !listeners.areHeard }
    }

    /// Fails this node, if that may be, and cancels the nodes above it that nobody else listens to; false if it may
    /// not.
    ///
    /// `turn` is served behind all that, and once what another thread disposes just now is disposed.
    @discardableResult
    func end(with error: any Error, turn: Job? = nil, if mayEnd: (Node, Listeners) -> Bool) -> Bool {
        var hasEnded = false
        ThreadState.here.serve {
            let (ended, jobs) = jobs(endingWith: error, turn, if: mayEnd)
            hasEnded = ended
            return jobs
        }
        return hasEnded
    }

    /// Cancels all of these nodes but the watchers, as `cancel`, before anything is called. Returns the jobs that
    /// follow, for the caller to serve (`serve(urgentFirst:)`).
    static func jobs(cancelling nodes: [Node]) -> JobList {
        var jobs = JobList()
        for node in nodes where !node.traits.contains(.watcher) {
            jobs.append(node.jobs(endingWith: cancellation) { _, listeners in !listeners.areHeard }.jobs)
        }
        return jobs
    }

    /// Fails all of these nodes of a line, which are in it no more: those that wait, and those that run, which are
    /// cancelled. Returns the jobs that follow, for the caller to serve.
    static func jobs(aborting waiting: [Node], with error: any Error, cancelling running: [Node]) -> JobList {
        var jobs = JobList()
        for node in waiting {
            jobs.append(node.jobs(endingWith: error, isOutside: true) { node, _ in !node.hasBegun }.jobs)
        }
        for node in running {
            let own = node.jobs(endingWith: cancellation) { _, _ in true }.jobs
            // It gives back its turn behind its own callbacks, not behind those of the ones before it.
            if !own.isEmpty { jobs.append(Mark(start: nil)) }
            jobs.append(own)
        }
        return jobs
    }

    /// Ends the nodes, as `end`, and returns the jobs that follow, for the caller to serve. Nothing is called here.
    ///
    /// `isOutside`: whether a queued node that has not begun has left its line already.
    private func jobs(
        endingWith error: any Error, _ turn: Job? = nil, isOutside: Bool = false, if mayEnd: (Node, Listeners) -> Bool
    ) -> (hasEnded: Bool, jobs: JobList) {
        var hasEnded = false
        // Source first: what each node has to do is prepended on the way up.
        var jobs = JobList()
        // Then what gives back the turns of queued nodes: once all that was cancelled with them is over.
        var turns = turn.map(JobList.init) ?? JobList()
        var disposing: Node?
        var current: Node? = self
        while let node = current?.resolved {
            current = nil
            guard !node.traits.contains(.never) else { break }
            guard var listeners = node.lock() else {
                if node.isLink { current = node }
                continue
            }
            let isFirst = !hasEnded
            guard isFirst ? mayEnd(node, listeners) : !listeners.areHeard, !node.isCompletedEarly else {
                if node.isCompletedEarly, !listeners.areHeard { disposing = node }
                node.unlock(listeners)
                break
            }
            if node.isStartingToCombine {
                // A job is making it listen to its children, and shows the end, and cancels those, when it has done so.
                node.payload.store(error: isFirst ? error : Self.cancellation)
                node.progress = .completedEarly(isSuccess: false)
                node.unlock(listeners)
                hasEnded = true
                disposing = node
                break
            }
            let isHandled = !node.hasBegun
            // The jobs are released when they have run, so a dormant list's are retained now.
            if node.isDormant { listeners.forEach { _ = Unmanaged.passUnretained($0).retain() } }
            let heard = listeners.take()
            let local = node.takeLocal()
            let upstream = node.upstream
            let cell = node.takeCell()
            node.payload.store(error: isFirst ? error : Self.cancellation)
            node.unlock(endedAs: node.tracking(Word.failure))
            hasEnded = true

            var own = JobList()
            if let local {
                let (now, last) = node.ending(local, with: isFirst ? error : Self.cancellation)
                own.append(now)
                if let last { turns.append(last) }
            }
            own.append(heard)
            if isHandled && node.traits.contains(.cancels) { own.append(CancelJob(node)) }
            jobs.prepend(own)
            if isHandled, !isOutside, let queued = node.queued {
                turns.append(ClosureJob(.urgent) { queued.ended() })
            }

            if let upstream, upstream.traits.contains(.never) || upstream.remove(node) {
                current = upstream
                // Out of the list, the node is not run any more: nobody else reads what its job would.
                node.releaseWhatItsJobReads()
                if node.traits.contains(.queued) { turns.append(node) }
            }
            withExtendedLifetime(cell) {}
        }
        if let disposing, !turns.isEmpty { turns = JobList(disposing.jobToServeWhenShown(turns)) }
        jobs.append(turns)
        return (hasEnded, jobs)
    }

    /// The job that has `turns` served once this node has shown its result: until then another thread disposes what the
    /// node had, so what it used is in use.
    private func jobToServeWhenShown(_ turns: JobList) -> Job {
        // Behind the listeners that stand before it.
        ClosureJob(.following) { [self] in
            _ = Node.listener(to: self, .watcher) { _ in ThreadState.here.serveNext(turns) }
        }
    }

    /// Cancels `future`, for which this node would have waited, had it not been over before. True if the job of this
    /// node is served when all of that is over; false if there is nothing more to do.
    func leave(_ future: Node) -> Bool {
        guard traits.contains(.queued) else {
            future.cancel()
            return false
        }
        future.cancel(before: self)
        return true
    }

    /// Cancels the node, if that may be; in any case `turn` is served when what that has cancelled is over.
    func cancel(before turn: Job) {
        end(with: Self.cancellation, turn: turn) { _, listeners in !listeners.areHeard }
    }

    private static let cancellation: any Error = CancellationError()

    /// Whether this is a combination that a job of a repetition makes listen to its children just now. Under the lock.
    private var isStartingToCombine: Bool {
        guard traits.contains(.combines), case .starting = progress else { return false }
        return true
    }

    /// Whether there is a result that is not shown yet. Under the lock.
    var isCompletedEarly: Bool {
        if case .completedEarly = progress { true } else { false }
    }
}

/// Calls the handler of a node that was cancelled, on the node's scheduler.
// Safe to share: it has one constant.
private final class CancelJob: Job, @unchecked Sendable {
    private let node: Node

    init(_ node: Node) {
        self.node = node
        super.init()
    }

    override func run() {
        node.scheduler._withUnsafeGuaranteedRef { scheduler in
            if scheduler.isCurrent {
                node.operation(node, .cancelled)
            } else {
                scheduler.backend.enqueueLast(self, for: scheduler)
            }
        }
    }

    override var urgency: Urgency {
        let scheduler = node.scheduler.takeUnretainedValue()
        return scheduler === Scheduler.inPlace || !scheduler.isCurrent ? .urgent : .callback
    }
}
