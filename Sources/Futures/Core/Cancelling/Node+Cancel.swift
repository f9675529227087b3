// Cancelling: upstream from the last step, up to the first node that has other listeners.

extension Node {
    /// Cancels this node, and the nodes upstream of it that have no other listeners. Returns false if it cancels nothing,
    /// because the node has a result, published or only stored, has listeners that are not watchers, or is `Future.never`.
    @usableFromInline @discardableResult
    func cancel() -> Bool {
        end(with: Self.cancellation, if: .unlessKept)
    }

    /// Fails this node if `condition` allows it, by default even if it has listeners, and cancels the nodes upstream of it
    /// that have no other listeners. Returns false if it ends nothing, because the node has a result, or because of the
    /// condition.
    @usableFromInline @discardableResult
    func end(with error: any Error, if condition: EndCondition = .always, as unfinished: Unfinished? = nil) -> Bool {
        var hasEnded = false
        ThreadState.here.serve {
            var unfinished = unfinished?.hold()
            let (ended, jobs) = jobs(endingWith: error, if: condition, as: &unfinished)
            hasEnded = ended
            return jobs.followed(by: unfinished)
        }
        return hasEnded
    }

    /// Cancels each of these nodes except for watchers. Returns the jobs that follow, for the caller to serve.
    /// `unfinished`: what this has stopped. The caller has to end it.
    static func jobs(cancelling nodes: [Node], as unfinished: inout Unfinished?) -> JobList {
        var jobs = JobList()
        for node in nodes where !node.traits.contains(.watcher) {
            jobs.append(node.jobs(endingWith: cancellation, if: .unlessKept, as: &unfinished).jobs)
        }
        return jobs
    }

    /// Fails the nodes that are `waiting` in a queue, and the `running` ones, even if they have listeners. Returns the jobs
    /// that follow, for the caller to serve.
    static func jobs(aborting waiting: [Node], with error: any Error, ending running: [Node]) -> JobList {
        var jobs = JobList()
        for (nodes, condition) in [(waiting, EndCondition.unlessBegun), (running, .always)] {
            for node in nodes {
                var unfinished: Unfinished?
                let its = node.jobs(endingWith: error, if: condition, as: &unfinished).jobs
                jobs.append(its.followed(by: unfinished))
            }
        }
        return jobs
    }

    /// Ends the nodes as `end` does, but returns the jobs that follow, for the caller to serve. Calls no user code.
    ///
    /// This goes upstream up to the first node that other listeners need or that has a result. Under the lock of each node,
    /// it stores the error, and takes out what the node has kept and its listeners. The jobs run in this order, inside of a
    /// callback those of disposables first, as they are urgent:
    ///
    ///     of each node, that     disposes what it has kept ─► its listeners ─► its own handler (`Traits.cancels`)
    ///     farthest upstream first
    ///     last                   the ends of turns
    ///
    /// `unfinished`: what this has stopped; made before the first node is published. The caller has to end it.
    private func jobs(
        endingWith error: any Error, if condition: EndCondition, as unfinished: inout Unfinished?
    ) -> (hasEnded: Bool, jobs: JobList) {
        var hasEnded = false
        // In the order from the source downstream: on the way upstream, the jobs of each node are prepended.
        var (jobs, turns) = (JobList(), JobList())
        var current: Node? = self
        while let node = current?.resolved {
            current = nil
            guard !node.traits.contains(.never) else { break }
            guard var listeners = node.lock() else {
                if node.isLink {
                    current = node
                } else if let met = node.unfinished {
                    if unfinished == nil { unfinished = Unfinished() }
                    unfinished!.meet(met)
                }
                continue
            }
            let isFirst = !hasEnded
            guard (isFirst ? condition : .unlessKept).allows(node, with: listeners), !node.progress.isStored else {
                let isSettling = node.progress.isStored && !listeners.preventCancel
                node.unlock(listeners)
                if isSettling {
                    if unfinished == nil { unfinished = Unfinished() }
                    jobs.prepend(JobList(unfinished!.waiting(for: node)))
                }
                break
            }
            if node.source != nil || node.inner != nil || node.progress == .starting || node.localObject != nil {
                unfinished = unfinished ?? Unfinished()
            }
            if node.progress == .starting, node.traits.contains(.combines) {
                // The job that attaches the combination to its children cancels them and publishes this result then.
                node.payload.store(error: isFirst ? error : Self.cancellation)
                node.progress = .storedError
                node.combination?.endsWhenStarted(as: unfinished!)
                node.unlock(listeners)
                hasEnded = true
                break
            }
            let hasNotBegun = node.progress == .waiting
            let listenerJobs = listeners.take()
            var local = node.takeLocal()
            let upstream = node.upstream
            let cell = node.takeCell()
            // What its closure returns will be disposed (`started(with:)`, `cancelUnneeded`).
            let isInClosure = node.progress == .starting
            if isInClosure { unfinished!.hold() }
            node.payload.store(error: isFirst ? error : Self.cancellation)
            // The walk visits the inner node next, and never the source.
            if node.inner != nil { unfinished!.meet(node.source?.unfinished) }
            node.keep(unfinished.map(Kept.init(object:)))
            node.storeWord(unfinished == nil ? Word.failure : Word.failure | Word.unfinished)
            withExtendedLifetime(cell) {}
            hasEnded = true

            var own = JobList()
            if let local = local.take() { own.append(node.disposing(local, as: unfinished)) }
            own.append(listenerJobs)
            if hasNotBegun && node.traits.contains(.cancels) { own.append(node.cancelJob(unfinished)) }
            jobs.prepend(own)
            if hasNotBegun, let queued = node.queued {
                turns.append(ClosureJob(.following) { queued.ended() })
            }

            guard let upstream else { continue }
            guard upstream.traits.contains(.never) || upstream.remove(node) else {
                // If it has settled, another thread may be disposing what it left: the walk meets that. If it is pending,
                // this node is not in its list yet, and `add` finds this node settled.
                if upstream.isSettled { current = upstream }
                continue
            }
            current = upstream
            // This node's job will not run any more.
            node.releaseWhatItsJobReads()
            if isInClosure { jobs.append(unfinished!.end()) }
            // A queued node is served once more, only to give back its turn.
            if node.traits.contains(.queued) { turns.append(node) }
        }
        jobs.append(turns)
        return (hasEnded, jobs)
    }

    /// Cancels `future`, for which this node would have waited, as a part of the cancel that has settled this node.
    func cancelUnneeded(_ future: Node) {
        if future !== self { future.end(with: Self.cancellation, if: .unlessKept, as: unfinishedOfClosure) }
        endClosure()
        endJobOfCancelled()
    }

    static let cancellation: any Error = CancellationError()
}

extension JobList {
    /// These jobs, and those that wait for the end of `unfinished`, which the caller counts.
    func followed(by unfinished: Unfinished?) -> JobList {
        var jobs = self
        if let unfinished { jobs.append(unfinished.end()) }
        return jobs
    }
}

extension Unfinished {
    /// Counts what a node leaves unfinished whose result is stored. Returns a job that waits until it is published.
    fileprivate func waiting(for node: Node) -> Job {
        hold()
        return ClosureJob(.urgent) { [self] in
            _ = Node.listener(to: node, .watcher) { arrival in
                self.meet(arrival.child.unfinished)
                self.release()
            }
        }
    }
}

extension Node {
    /// Returns a job that calls the handler of this node, which was cancelled, on the node's scheduler.
    private func cancelJob(_ unfinished: Unfinished?) -> Job {
        let scheduler = scheduler.takeUnretainedValue()
        unfinished?.hold()
        return ClosureJob(on: scheduler) {
            if scheduler.isCurrent {
                ThreadState.here.ending(unfinished) { self.operation(self, .cancelled) }
            } else {
                // No turn waits for a handler on another scheduler.
                unfinished?.release()
                scheduler.enqueueLast(ClosureJob { self.operation(self, .cancelled) })
            }
        }
    }
}

/// When a node that is to be failed from outside ends.
// A value: for a closure, the compiler would copy the long function `jobs(endingWith:)` for each of its callers.
@usableFromInline
enum EndCondition: Sendable {
    /// Unless it has listeners other than watchers: a cancel.
    case unlessKept
    /// Unless it has begun: an operation that leaves its queue.
    case unlessBegun
    /// In any case.
    case always

    /// Requires the lock of the node.
    @inline(__always)
    func allows(_ node: Node, with listeners: Listeners) -> Bool {
        switch self {
        case .unlessKept: !listeners.preventCancel
        case .unlessBegun: node.progress == .waiting
        case .always: true
        }
    }
}

extension Node {
    /// Disposes what the node has kept, and keeps `kept` instead. Disposes that when the node settles, or immediately if the
    /// node has a result. `isForWait`: or if the node has begun.
    func keepFromNowOn(_ kept: Kept?, isForWait: Bool = false) {
        var unneeded = kept
        if let listeners = lockToSettleFromOutside() {
            if !isForWait || progress == .waiting {
                unneeded = takeLocal()
                keep(kept)
            }
            unlock(listeners)
        }
        unneeded?.dispose()
    }

    /// The same, to call `action` then.
    func keepFromNowOn(_ action: @escaping @Sendable () -> Void) { keepFromNowOn(Kept(Disposer(action))) }

    /// Returns a job that disposes `local`, which this node kept until it was cancelled or failed, as part of
    /// `unfinished`.
    func disposing(_ local: Kept, as unfinished: Unfinished?) -> Job {
        unfinished?.hold()
        return ClosureJob(.urgent) { [traits] in
            let thread = ThreadState.here
            thread.ending(unfinished) {
                var unfinished = unfinished
                guard traits.contains(.combines) else { return local.dispose() }
                var jobs = JobList()
                thread.releases.collect {
                    jobs = Combination.kept(local).detach(settledWithValue: nil, as: &unfinished)
                }
                thread.serveNext(jobs)
            }
        }
    }
}
