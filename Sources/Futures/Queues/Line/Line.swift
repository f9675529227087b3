// Line: what a queue does with its operations: the lock around the state, and what is done without it.

/// Where the operations of a queue, a lock or a pool wait for their turn.
public final class Line: Sendable {
    // `LineState` decides, under a lock; this class does what is done without that lock.
    //
    // Neither is generic: with the type of the keys in the state, an operation took three times as long, most of it
    // looking for metadata.
    package let state: Locked<LineState>
    package let name: LineName
    let clock: Scheduler?

    init(_ limits: LineLimits, named name: LineName) {
        self.name = name
        clock = limits.clock
        state = Locked(LineState(limits))
    }

    // The watchdog may keep the state for another second.
    deinit { if clock != nil { for timer in state.withLock({ $0.timers }) { timer.dispose() } } }
}

extension Line {
    /// Starts a node, lets it wait, or fails it. One that may not wait fails instead.
    func enqueue(_ node: LineNode, mayWait: Bool = true) {
        if Recording.hasExtras { node.prepareToStart() }
        let lane = node.lane
        let arrival = change { node.kind == .operation ? $0.arrive(node, mayWait) : $0.watch(node) }
        // Released without the lock.
        withExtendedLifetime(lane) {}
        switch arrival {
        case .begins(let job): ThreadState.here.serve(job)
        case .waits(let isWatched, _):
            if !isWatched { watch(behind: node) }
            Recording.recorderIfOn?.enqueued(node)
        case .refused(let error):
            Recording.recorderIfOn?.refused()
            node.settleFromOutside(error: error)
        }
        node.timeLimits?.startWaiting(node)
        if case .waits(_, let jobs) = arrival { perform(jobs) }
    }

    /// Removes a node that has completed, or was cancelled while it waited.
    func leave(_ node: LineNode) {
        let jobs = change { node.kind == .operation ? $0.leave(node) : $0.leaveWatchers(node) }
        // After the job in progress: as the last step of that only, as callbacks may wait for them.
        ThreadState.here.serveNext(jobs)
    }

    /// Gives up a turn that no node has, from wherever that is done.
    func giveBack(_ lane: Lane?, _ weight: Int) { adjust { $0.giveBack(lane, weight) } }

    /// Returns the turn of a node that has it, which lasts until the node has ended and the returned object is disposed
    /// or released. To be called in the node's job.
    func turn(of node: LineNode) -> Disposer {
        state.withLock { _ in node.position = .held }
        return Disposer { node.releaseTurn() }
    }
}

extension Line {
    /// Serves jobs before this returns.
    func perform(_ jobs: JobList) {
        if !jobs.isEmpty { ThreadState.here.serve(jobs) }
    }

    /// Changes the state, at the current time if there is a rate. To be called for whatever may start an operation.
    @inline(__always)
    func change<T>(_ body: (inout LineState) -> T) -> T {
        if let clock { changeInTime(of: clock, body) } else { state.withLock(body) }
    }

    /// Starts the timers that operations wait for before this returns: what is served then may take its time.
    @inline(never)
    private func changeInTime<T>(of clock: Scheduler, _ body: (inout LineState) -> T) -> T {
        var now = LineState.reference.duration(to: clock.now)
        let (result, delays) = state.withLock { state in
            // This thread may have been suspended since it has read the clock. Otherwise it is another clock.
            if now < state.now { now = LineState.reference.duration(to: clock.now) }
            state.advance(to: now)
            let result = body(&state)
            return (result, state.takeDelays())
        }
        if !delays.isEmpty { start(delays, of: clock) }
        return result
    }

    // A function of its own, as the compiler copies the one above for each `body`.
    private func start(_ delays: [LineState.Delay], of clock: Scheduler) {
        for (tokens, lane, delay, number) in delays {
            tokens.timer.start(after: delay, on: clock.forLimits, number: number) { [weak self, weak lane] in
                let lane = lane
                self?.adjust { $0.tick(lane) }
                // Released without the lock.
                withExtendedLifetime(lane) {}
            }
        }
    }
}

extension Line {
    /// Changes the state, and starts the operations that may start then, before this returns.
    @inline(__always) @discardableResult
    func adjust<T>(_ body: (inout LineState) -> T) -> T {
        let (result, jobs) = change { (body(&$0), $0.goOn()) }
        perform(jobs)
        return result
    }

    /// To be called when the queue is released, as nothing else can resume it any more.
    func resume() {
        adjust { $0.isPaused = false }
        for lane in state.withLock({ $0.table.all.filter(\.isPaused) }) { pause(lane, false) }
    }

    /// Pauses or resumes the operations of a key.
    func pause(_ lane: Lane, _ isPaused: Bool) {
        let present = adjust { $0.pause(lane, isPaused) }
        // Released without the lock.
        withExtendedLifetime(present) {}
    }

    func close(with error: any Error) {
        // A second error does not replace the first one, which would be released under the lock.
        state.withLock { if $0.closedError == nil { $0.closedError = error } }
    }

    /// Fails the waiting operations with `error`, and also those that run, unless `onlyWaiting` is true.
    ///
    /// - Parameter lane: Only the operations of this lane; nil for those of all lanes.
    func abort(_ lane: Lane? = nil, with error: any Error, onlyWaiting: Bool = false) {
        let (waiting, running) = state.withLock { $0.abort(lane.map($0.present)) }
        // No turn is given back, so no other operation starts.
        if waiting.isEmpty, running.isEmpty { return }
        ThreadState.here.serve {
            var jobs = Node.jobs(aborting: waiting, with: error, ending: onlyWaiting ? [] : running)
            jobs.append(ClosureJob(.following) { ThreadState.here.serveNext(self.change { $0.endAbort() }) })
            return jobs
        }
    }
}

extension Line {
    /// A future that succeeds when nothing waits or runs, or when another operation may wait.
    func watcher(_ kind: LineNode.Kind) -> Future<Void> {
        let node = LineNode(kind, of: self)
        node.enqueue()
        return Future(node: node)
    }
}
