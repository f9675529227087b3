// Line: what a queue does with its operations: the lock around the state, and what is done without it.

/// A queue's line: its state behind a lock.
protocol Line: AnyObject, Sendable {
    associatedtype Order: WaitingOrder

    var state: Locked<LineState<Order>> { get }

    /// How often an operation may begin.
    var rate: Rate? { get }

    /// Brings the next token, if there is a rate.
    var timer: OwnedTimer? { get }

    /// What `Node.queue` is of those that wait behind one of this tag. (Of those that wait for this line to be empty, it is
    /// the line.)
    func identity(_ tag: Order.Tag) -> ObjectIdentifier
}

extension Line {
    /// Lets the operation of `node` begin, or wait, or fails it.
    func enter(_ node: Node, _ tag: Order.Tag) {
        begin(node, state.withLock { $0.arrive(node, tag) })
    }

    /// Does what follows from an arrival.
    func begin(_ node: Node, _ arrival: LineState<Order>.Arrival) {
        switch arrival {
        case .begins(let fills):
            if fills { fill() }
            ThreadState.here.serve(node)
        case .waits: return
        case .refused(let error): node.complete(error: error)
        }
    }

    /// Gives up a node's place or turn. To be called by a job.
    func leave(_ node: Node, _ tag: Order.Tag) {
        proceed(state.withLock { $0.leave(node, tag) })
    }

    /// Gives up a turn that no node has, from wherever that is done.
    func giveBack(_ tag: Order.Tag) {
        perform(state.withLock { $0.giveBack(tag) })
    }

    /// Does what follows, after the job in progress: as the last step of that only, as callbacks may wait for it.
    func proceed(_ action: LineState<Order>.Action) {
        if action.fills { fill() }
        if !action.jobs.isEmpty { ThreadState.here.serveLast(jobs(of: action)) }
    }

    /// Does what follows, before this returns.
    func perform(_ action: LineState<Order>.Action) {
        // First the timer: what is served may take its time.
        if action.fills { fill() }
        if !action.jobs.isEmpty { ThreadState.here.serve(jobs(of: action)) }
    }

    private func jobs(of action: LineState<Order>.Action) -> JobList {
        // Who waits for an empty queue, or for room, must not wait for an operation that begins in place.
        var jobs = action.jobs.hasSeveral ? action.jobs.urgentFirst : action.jobs
        if action.goesOn {
            jobs.append(ClosureJob(.following) { self.proceed(self.state.withLock { $0.goOn() }) })
        }
        return jobs
    }

    private func fill() {
        guard let rate, let timer else { return }
        timer.start(after: rate.interval, on: rate.scheduler) { [weak self] in
            guard let self else { return }
            perform(state.withLock { $0.tick() })
        }
    }
}

extension Line {
    func pause() { state.withLock { $0.pause() } }

    func resume() { perform(state.withLock { $0.resume() }) }

    func close(with error: any Error) {
        // What a closed line has kept before is not released under the lock.
        state.withLock { $0.close(with: error) }
    }

    /// Closes once nothing waits or runs.
    func end(with error: any Error) {
        state.withLock { $0.end(with: error) }
    }

    /// Releases the errors with which it was closed, and the handler of failed cleanups: they may hold other queues,
    /// which hold others. To be called in `deinit`.
    func releaseErrors() {
        var errors = state.withLock { $0.takeErrors() }
        DeferredReleases.here.release(&errors)
        var handler = state.withLock { $0.takeCleanupHandler() }
        DeferredReleases.here.release(&handler)
    }

    /// Fails all of these tags that wait; and cancels what runs, unless only what waits is meant. `tags` is called under
    /// the lock.
    func abort(
        _ tags: (LineState<Order>) -> [Order.Tag], with error: any Error, closing: Bool, onlyWaiting: Bool = false
    ) {
        let (waiting, running) = state.withLock { state in
            if closing { state.close(with: error) }
            return state.abort(tags(state))
        }
        // Nothing gives back a turn, so nothing goes on.
        if waiting.isEmpty, running.isEmpty { return }
        ThreadState.here.serve {
            var jobs = Node.jobs(aborting: waiting, with: error, cancelling: onlyWaiting ? [] : running)
            // Behind the callbacks of all of them.
            jobs.append(Mark(start: 0))
            jobs.append(
                ClosureJob(.following) { [isLess = !waiting.isEmpty] in
                    self.proceed(self.state.withLock { $0.goOnAfterAbort(isLess: isLess) })
                })
            return jobs
        }
        withExtendedLifetime((waiting, running)) {}
    }

    /// Nobody can abort or resume this any more. `tags` is called under the lock.
    func disown(_ tags: (LineState<Order>) -> [Order.Tag]) {
        ThreadState.here.serve {
            let (nodes, action) = state.withLock { $0.disown(tags($0)) }
            if action.fills { fill() }
            for node in nodes where node.waitsInVain { node.fallDormant() }
            // What has fallen dormant is released, and so cleaned up, before the callbacks of what goes on.
            return jobs(of: action)
        }
    }

    /// A node that has its turn waits for a future that never completes: only an abort can end it, if anything can.
    func answerUnending() {
        if !state.withLock({ $0.isOwned }) { ThreadState.here.letsSleep = true }
    }

    /// A future that succeeds when nothing waits or runs: now, or the next time.
    func emptiness(next: Bool) -> Future<Void> {
        onlooker([.queued, .awaitsEmptiness]) { line, node in
            line.state.withLock { $0.awaitEmptiness(node, next: next) }
        }
    }

    /// A future that succeeds when another operation may wait.
    func room() -> Future<Void> {
        onlooker(.queued) { line, node in line.state.withLock { $0.awaitRoom(node) } }
    }

    private func onlooker(_ traits: Traits, _ waits: @escaping @Sendable (Self, Node) -> Bool) -> Future<Void> {
        let node = Node(source: nil, on: .inPlace, traits, Closure()) { [self] node, call in
            switch call {
            case .arrived:
                node.finish(())
                node.isOver()
            case .enqueued:
                let awaitsEmptiness = node.traits.contains(.awaitsEmptiness)
                node.queue = awaitsEmptiness ? ObjectIdentifier(self) : ObjectIdentifier(node)
                if !waits(self, node) { ThreadState.here.serve(node) }
            case .heard: if node.traits.contains(.awaitsEmptiness) { detectDeadlock(beforeEmptiness: node) }
            case .over:
                proceed(state.withLock { $0.leaveOnlookers(node) })
            case .suspected, .unending, .cancelled: return
            }
        }
        node.operation(node, .enqueued)
        return Future(node: node)
    }
}
