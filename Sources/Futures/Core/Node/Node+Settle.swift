// Settling: how a node gets its result, and how its listeners are run.

extension Node {
    /// Settles the node as the last step of its own job. Its listeners are run next.
    @inlinable
    func settleInJob<T: Sendable>(_ value: consuming T) {
        guard let listeners = lockToSettleInJob() else { return }
        payload.store(value)
        settleInJob(Word.success, listeners)
    }

    @inlinable
    func settleInJob(error: any Error) {
        guard let listeners = lockToSettleInJob() else { return }
        payload.store(error: error)
        settleInJob(Word.failure, listeners)
    }

    /// Settles the node with what `body` returns or throws, as the last step of its own job.
    @inlinable
    func settleInJob<T: Sendable>(_ body: () throws -> T) {
        do { settleInJob(try body()) } catch { settleInJob(error: error) }
    }

    /// Settles the node with the result of `other`, which has this node's type, as the last step of this node's own job.
    @usableFromInline
    func settleInJob(as other: Unmanaged<Node>) {
        other._withUnsafeGuaranteedRef { $0.noteObserved() }
        guard let listeners = lockToSettleFromOutside() else {
            endClosure(as: other)
            return endJobOfCancelled()
        }
        other._withUnsafeGuaranteedRef { payload.store(copyOf: $0.payload) }
        settleInJob(other.isSuccess ? Word.success : Word.failure, listeners, leaving: other.unfinished)
    }

    /// Settles the node with the result of `other`, from outside, unless the node already has a result.
    func settleFromOutside(copying other: Node) {
        let other = other.resolved
        guard let listeners = lockToSettleFromOutside() else { return }
        payload.store(copyOf: other.payload)
        other.noteObserved()
        settleFromOutside(other.isSuccess ? Word.success : Word.failure, listeners, leaving: other.unfinished)
    }

    /// Settles the node from outside and serves its listeners. Returns false if the node already has a result.
    @inlinable @discardableResult
    func settleFromOutside<T: Sendable>(_ result: Result<T, any Error>) -> Bool {
        switch result {
        case .success(let value): settleFromOutside(value)
        case .failure(let error): settleFromOutside(error: error)
        }
    }

    @inlinable @discardableResult
    func settleFromOutside<T: Sendable>(_ value: consuming T) -> Bool {
        guard let listeners = lockToSettleFromOutside() else { return false }
        payload.store(value)
        settleFromOutside(Word.success, listeners)
        return true
    }

    @inlinable @discardableResult
    func settleFromOutside(error: any Error) -> Bool {
        guard let listeners = lockToSettleFromOutside() else { return false }
        payload.store(error: error)
        settleFromOutside(Word.failure, listeners)
        return true
    }
}

extension Node {
    /// Takes the lock and returns the listeners. Returns nil, without the lock, if the node has a result.
    @usableFromInline @inline(__always)
    func lockToSettleFromOutside() -> Listeners? {
        guard let listeners = lock() else { return nil }
        guard progress.isStored else { return listeners }
        unlock(listeners)
        return nil
    }

    /// Takes the lock for the end of this node's job, as `lockToSettleFromOutside` does.
    @usableFromInline
    func lockToSettleInJob() -> Listeners? {
        if let listeners = lockToSettleFromOutside() { return listeners }
        endClosure()
        endJobOfCancelled()
        return nil
    }

    /// Publishes a result that was stored as the last step of this node's own job.
    ///
    /// `unfinished`: what the node that this one gets its result from has left; nil if that is the source.
    @usableFromInline
    func settleInJob(_ end: UInt, _ listeners: Listeners, leaving unfinished: Unfinished? = nil) {
        publish(end, listeners, leaving: unfinished) { ThreadState.here.serveNext($0) }
        releaseSourceValue()
    }

    /// Publishes a result that was stored from outside; while the operation starts, notes it instead.
    @usableFromInline
    func settleFromOutside(_ end: UInt, _ listeners: Listeners, leaving unfinished: Unfinished? = nil) {
        if progress == .starting {
            progress = .stored(end)
            unlock(listeners)
        } else if traits.contains(.combines) {
            // This is the last step of a job: of a listener to a child, or of a timer.
            publish(end, listeners, leaving: unfinished) { ThreadState.here.serveNext($0) }
        } else {
            publish(end, listeners, leaving: unfinished) { if !$0.isEmpty { ThreadState.here.serve($0) } }
            if end == Word.failure { Recording.recorderIfOn?.failed(self) }
        }
    }

    /// Disposes, publishes the result, and has the listeners served, in this order (Contract/Life.md). Then releases what
    /// the node does not need any more. A disposable that blocks keeps the node pending. (A cancel or a time limit publishes
    /// first, and then disposes, unless it ends a combination that is starting: see `Unfinished`.)
    @inline(__always)
    private func publish(
        _ end: UInt, _ listeners: Listeners, leaving unfinished: Unfinished? = nil, serve: (JobList) -> Void
    ) {
        var listeners = listeners
        // Most nodes have nothing to dispose or to release.
        guard
            inner != nil || parentOrCell != nil || localObject != nil || unfinished != nil
                || source?.mayLeaveUnfinished == true
        else {
            let jobs = listeners.take()
            storeWord(end)
            serve(jobs)
            return
        }
        let local = takeLocal()
        var (jobs, end, unfinished) = (JobList(), end, unfinished)
        if let local { listeners = disposing(local, before: end, listeners, &jobs, &unfinished) }
        if unfinished != nil || source?.mayLeaveUnfinished == true || inner?.mayLeaveUnfinished == true {
            end |= keep(unfinished)
        }
        jobs.append(listeners.take())
        let inner = inner.take()
        let parentOrCell = parentOrCell.take()
        storeWord(end)
        serve(jobs)
        if let inner {
            inner._withUnsafeGuaranteedRef { $0.publishReads() }
            inner.release()
        }
        parentOrCell?.release()
        // The recipe keeps a combination.
        if let local, !traits.contains(.combines) { DeferredReleases.here.release(local.object) }
    }

    /// Disposes without the lock. The result is stored: no other one replaces it, and listeners that are attached meanwhile
    /// wait.
    ///
    /// The children of a combination are cancelled; the jobs that follow are in `jobs`. `unfinished`: what this stops.
    private func disposing(
        _ local: Kept, before end: UInt, _ listeners: Listeners, _ jobs: inout JobList,
        _ unfinished: inout Unfinished?
    ) -> Listeners {
        progress = .stored(end)
        unlock(listeners)
        if traits.contains(.combines) {
            var stopped: Unfinished?
            jobs = Combination.kept(local).detach(settledWithValue: end & Word.success != 0, as: &stopped)
                .followed(by: stopped)
            unfinished = .merged(unfinished, stopped)
        } else {
            unfinished = .merged(unfinished, ThreadState.here.stopping { local.dispose() })
        }
        return lock()!
    }

    /// Keeps the disposable that the operation has returned, or disposes it if the node has a result.
    @usableFromInline
    func started(with disposable: any Disposable) {
        let kept = Kept(disposable)
        guard let listeners = lock() else {
            // As a part of the cancel that came while the operation ran.
            return ThreadState.here.ending(unfinishedOfClosure) { disposable.dispose() }
        }
        keep(kept)
        started(listeners)
    }

    /// Ends the start of an operation or a combination, as the last step of a job or of the code that creates the node.
    func started(_ listeners: Listeners) {
        if progress.isStored {
            // Not in a pass: that would nest the repetitions of an operation that completes immediately.
            publish(progress == .storedValue ? Word.success : Word.failure, listeners) {
                ThreadState.here.serveNext($0)
            }
        } else {
            progress = .begun
            unlock(listeners)
        }
    }

    /// What the node combines, while it is pending. Requires the lock.
    var combination: Combination? {
        traits.contains(.combines) ? local.map(Combination.kept) : nil
    }

    /// Marks the node as begun, before its closure is called. Returns false if the node was cancelled before: then its job
    /// has nothing more to do.
    ///
    /// A job that is `starting` has to end with `settleInJob`, `wait(for:)` or `started(with:)`: if the node is cancelled
    /// meanwhile, turns wait for that.
    @usableFromInline
    func tryBegin(as progress: Progress = .starting) -> Bool {
        guard let listeners = lock() else {
            if source != nil { endJobOfCancelled() }
            return false
        }
        self.progress = progress
        unlock(listeners)
        Recording.recorderIfOn?.begun(self)
        return true
    }
}
