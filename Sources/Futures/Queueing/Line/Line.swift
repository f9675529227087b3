// Line: what a queue does with its operations: the lock around the state, and what is done without it.

/// A queue's line: its state behind a lock, and what is done without that lock.
///
/// It stands behind queues, locks and pools. In a queue with keys, each key has a lane. Any other queue has one lane, which
/// is part of the state: where a function takes a lane, nil is that one.
// Not generic, and nothing in it is: clients call it without an unspecialized function in between. With the type of the
// keys in the state, an operation took three times as long, most of it looking for metadata.
@usableFromInline
final class Line: Sendable {
    let state: Locked<LineState>
    /// How often an operation may begin.
    private let rate: Rate?
    /// Brings the next token, if there is a rate.
    private let timer: OwnedTimer?
    private let isKeyed: Bool

    /// Makes a line with keys, if there is a limit for each of them.
    init(_ limits: LineLimits, maxConcurrentCountPerKey: Int? = nil) {
        rate = limits.rate
        timer = limits.rate.map { _ in OwnedTimer() }
        isKeyed = maxConcurrentCountPerKey != nil
        state = Locked(LineState(limits, maxConcurrentCountPerKey: maxConcurrentCountPerKey))
    }

    // The errors with which it was closed, and the handler of failed cleanups, may hold other queues, which hold others.
    deinit {
        var errors = state.withLock { $0.takeErrors() }
        DeferredReleases.here.release(&errors)
        var handler = state.withLock { $0.takeCleanupHandler() }
        DeferredReleases.here.release(&handler)
    }

    /// What `Node.queue` is of those that wait in this lane. (Of those that wait for this line to be empty, it is the line.)
    func identity(_ lane: Lane?) -> ObjectIdentifier { lane.map { ObjectIdentifier($0) } ?? ObjectIdentifier(self) }

    /// The lane in which a node waits or runs, in a queue with keys.
    func lane(of node: Node) -> Lane? { isKeyed ? state.withLock { $0.lane(of: node) } : nil }
}

extension Line {
    /// Lets the operation of `node` begin, or wait, or fails it.
    @usableFromInline
    func enqueue(_ node: Node) {
        node.queue = ObjectIdentifier(self)
        begin(node, state.withLock { $0.arrive(node, nil) })
    }

    /// The same with time limits.
    @usableFromInline
    func enqueue(_ node: Node, _ options: QueueOptions) {
        enqueue(node)
        options.limitWaiting(of: node)
    }

    /// The same for a key, in its lane.
    @usableFromInline
    func enqueue(_ node: Node, _ options: QueueOptions, in lane: Lane) {
        // Another lane may have the key meanwhile: if this one has been idle.
        let arrival = state.withLock(entryOf: lane.hash, knownAs: lane, where: lane.hasKey(of:)) {
            $0.arrive(node, $1.map { unsafeDowncast($0, to: Lane.self) } ?? lane)
        }
        begin(node, arrival)
        if options.isTimed { options.limitWaiting(of: node) }
    }

    private func begin(_ node: Node, _ arrival: LineState.Arrival) {
        switch arrival {
        case .begins(let fills):
            if fills { fill() }
            ThreadState.here.serve(node)
        case .waits: return
        case .refused(let error): node.complete(error: error)
        }
    }

    /// What a node's operation is called for, beside its turn.
    @usableFromInline
    func handle(_ event: Call, of node: Node) {
        switch event {
        case .ended: isKeyed ? leaveLane(node) : proceed(state.withLock { $0.leave(node, nil) })
        case .enqueued: enqueue(node)
        case .gainedListener: detectDeadlock(before: node)
        case .suspected: hasJoined(node)
        case .cannotComplete: answerCannotComplete()
        case .arrived, .cancelled: return
        }
    }

    /// The same with time limits.
    @usableFromInline
    func handle(_ event: Call, of node: Node, _ options: QueueOptions) {
        switch event {
        case .enqueued: enqueue(node, options)
        // Its timer will end it.
        case .cannotComplete where options.maxRunning != nil: return
        default: handle(event, of: node)
        }
    }

    /// The same for a key, with the lane in which it was enqueued first.
    @usableFromInline
    func handle(_ event: Call, of node: Node, _ options: QueueOptions, in lane: Lane) {
        if event == .enqueued { enqueue(node, options, in: lane) } else { handle(event, of: node, options) }
    }

    /// The node has begun to wait for the future that its operation has returned.
    @usableFromInline
    func hasJoined(_ node: Node) {
        let lane = lane(of: node)
        // In no lane if it has left.
        if !isKeyed || lane != nil { detectDeadlock(of: node, lane) }
    }

    private func leaveLane(_ node: Node) {
        // A lane is released without the lock: its key is a user's.
        var lane: Lane?
        let action = state.withLock { state in
            lane = state.lane(of: node)
            return state.leave(node, lane)
        }
        proceed(action)
        withExtendedLifetime(lane) {}
    }

    /// Gives up a turn that no node has, from wherever that is done.
    func giveBack(_ lane: Lane? = nil) {
        perform(state.withLock { $0.giveBack(lane) })
    }

    /// A node that has its turn waits for a future that never completes: only an abort can end it, if anything can.
    private func answerCannotComplete() {
        if !state.withLock({ $0.isOwned }) { ThreadState.here.letsSleep = true }
    }
}

extension Line {
    /// Does what follows, after the job in progress: as the last step of that only, as callbacks may wait for it.
    func proceed(_ action: LineState.Action) {
        if action.fills { fill() }
        if !action.jobs.isEmpty { ThreadState.here.serveLast(jobs(of: action)) }
    }

    /// Does what follows, before this returns.
    func perform(_ action: LineState.Action) {
        // First the timer: what is served may take its time.
        if action.fills { fill() }
        if !action.jobs.isEmpty { ThreadState.here.serve(jobs(of: action)) }
    }

    private func jobs(of action: LineState.Action) -> JobList {
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

    /// Fails all operations that wait, and cancels those that run, unless only what waits is meant; those of a lane, or all
    /// if that is nil.
    func abort(_ lane: Lane? = nil, with error: any Error, closing: Bool, onlyWaiting: Bool = false) {
        let operations = state.withLock { state in
            if closing { state.close(with: error) }
            return state.abort(lane)
        }
        let (waiting, running) = (operations.waiting, operations.running)
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
        withExtendedLifetime(operations) {}
    }

    /// Nobody can abort or resume this any more.
    func disown() {
        ThreadState.here.serve {
            let (operations, action) = state.withLock { $0.disown() }
            if action.fills { fill() }
            for node in operations.running where node.waitsInVain { node.fallDormant() }
            // What has fallen dormant is released, and so cleaned up, before the callbacks of what goes on.
            return jobs(of: action)
        }
    }
}

extension Line {
    /// A future that succeeds when nothing waits or runs: now, or the next time.
    func emptiness(next: Bool) -> Future<Void> {
        watcher([.queued, .awaitsEmptiness]) { line, node in
            line.state.withLock { $0.awaitEmptiness(node, next: next) }
        }
    }

    /// A future that succeeds when another operation may wait.
    func room() -> Future<Void> {
        watcher(.queued) { line, node in line.state.withLock { $0.awaitRoom(node) } }
    }

    private func watcher(_ traits: Traits, _ waits: @escaping @Sendable (Line, Node) -> Bool) -> Future<Void> {
        let node = Node(source: nil, on: .inPlace, traits, Closure()) { [self] node, event in
            switch event {
            case .arrived:
                node.finish(())
                node.isOver()
            case .enqueued:
                let awaitsEmptiness = node.traits.contains(.awaitsEmptiness)
                node.queue = awaitsEmptiness ? ObjectIdentifier(self) : ObjectIdentifier(node)
                if !waits(self, node) { ThreadState.here.serve(node) }
            case .gainedListener: if node.traits.contains(.awaitsEmptiness) { detectDeadlock(beforeEmptiness: node) }
            case .ended: proceed(state.withLock { $0.leaveWatchers(node) })
            case .suspected, .cannotComplete, .cancelled: return
            }
        }
        node.operation(node, .enqueued)
        return Future(node: node)
    }
}
