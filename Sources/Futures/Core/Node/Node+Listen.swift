// Listening: how a node hears of another one, and what it does then.

internal import Synchronization

extension Node {
    /// The node that this one listens to while it is pending.
    @usableFromInline
    var upstream: Node? {
        (inner ?? source)?.takeUnretainedValue().resolved
    }

    /// What this node listened to, which has settled.
    @inlinable
    var arrived: Unmanaged<Node> {
        if let inner { return inner }
        let source = source!
        // A link leads to the same node for as long as this one listens to it.
        return source._withUnsafeGuaranteedRef { $0.isLink ? .passUnretained($0.target) : source }
    }

    /// Makes a node that transforms what `source` settles with, and attaches it.
    @inlinable
    static func step(
        from source: consuming Node, on scheduler: Scheduler, _ traits: Traits, _ closure: consuming Closure,
        operation: @escaping Operation
    ) -> Node {
        let node = Node(source: source, on: scheduler, traits, closure, operation: operation)
        node.attach()
        return node
    }

    /// Attaches a node to its source, or has it served if that has settled.
    @usableFromInline
    func attach() {
        if source!._withUnsafeGuaranteedRef({ $0.add(self) }) == .settled { ThreadState.here.serve(self) }
    }

    /// What a listener is told.
    @usableFromInline
    struct Arrival {
        @usableFromInline let parent: Node?
        /// What has settled.
        @usableFromInline let child: Node
    }

    /// Calls `handler` in place when `source` settles; never, if the listener that is returned is cancelled before.
    ///
    /// The handler must not capture the parent, which would keep itself alive through a future that never completes.
    @usableFromInline
    static func listener(
        to source: Node, for parent: Node? = nil, _ traits: Traits = [],
        handler: @escaping @Sendable (Arrival) -> Void
    ) -> Node {
        let listening = Closure(Listening(call: handler))
        let listener = Node(source: .some(source), on: .inPlace, [traits, .listens], listening) { node, _ in
            let parent = node.parent?.takeUnretainedValue()
            let arrival = Arrival(parent: parent, child: node.arrived.takeUnretainedValue())
            node.closure.load(as: Listening.self).call(arrival)
            node.finish(())
            node.endClaimOnSource()
            node.releaseWhatItsJobReads()
            parent?.childIsOver()
        }
        listener.parent = parent.map { .passRetained($0) }
        listener.attach()
        return listener
    }

    /// Has the parent complete as the child that has settled.
    static let completingParent: @Sendable (Arrival) -> Void = { $0.parent?.complete(as: $0.child) }

    /// Goes on as what `future` settles with. The last step of a node's job: true if it is another job's now to go on,
    /// false if the node is over.
    @usableFromInline @discardableResult
    func wait(for future: Node) -> Bool {
        let future = future.resolved
        let isCircular = future === self
        guard let listeners = lock() else {
            publishReads()
            return isCircular ? false : leave(future)
        }
        guard !isCircular else {
            unlock(listeners)
            finish(error: FutureError.awaitsItself)
            return false
        }
        // Still set from the source's list, which is gone.
        isListed = false
        inner = .passRetained(future)
        unlock(listeners)
        ThreadState.here.endsJob()
        // Taken before another thread may settle this node, and released once it may.
        var sourceResult = takeSourceResult()
        defer { sourceResult?.release() }
        switch future.add(self) {
        case .listed:
            if let other = circularInner { return !leaveCircle(at: other) }
            handOver()
            return true
        case .circular:
            return !leaveCircle(at: future)
        case .settled:
            ThreadState.here.serveNext(JobList(self))
            return true
        case .left:
            releaseWhatItsJobReads()
            return leave(future)
        }
    }

    /// Fails, as it would wait for itself; false if another job has come by it meanwhile.
    private func leaveCircle(at other: Node) -> Bool {
        let isAlone = other.remove(self)
        finish(error: FutureError.awaitsItself)
        return isAlone
    }

    /// Goes on as the future that `body` returns, or fails with what it throws.
    @inlinable
    func follow<T: Sendable>(_ body: () throws -> Future<T>) {
        do { wait(for: try body()) } catch { finish(error: error) }
    }

    /// Goes on as `future` does; at once, if that has completed: so it does in most steps of a loop.
    @inlinable
    func wait<T: Sendable>(for future: Future<T>) {
        let other = future.node
        if other.isSettled {
            other.claimed { finish(as: .passUnretained(other)) }
        } else {
            wait(for: other)
        }
        withExtendedLifetime(other) {}
    }
}

extension Node {
    enum Addition {
        /// It will be served when this node settles.
        case listed
        /// This node has settled: there is nothing to wait for.
        case settled
        /// The listener was cancelled meanwhile.
        case left
        /// It is listed, but this node waits for it.
        case circular
    }

    /// Adds a listener, to the node that this one is linked to if it is.
    func add(_ listener: Node) -> Addition {
        guard !traits.contains(.never) else {
            listener.fallDormant()
            return .listed
        }
        guard var listeners = lock() else {
            guard isLink else {
                addClaim(of: listener)
                return .settled
            }
            let target = resolved
            if listener.waits(for: self), !listener.moves(to: target) { return .left }
            return target.add(listener)
        }
        // A cancel settles the listener before it looks for it in this list, under this lock: so either it finds
        // it there, or it is seen here.
        guard !listener.isSettled else {
            unlock(listeners)
            return .left
        }
        let isDormant = isDormant
        listeners.add(listener, retained: !isDormant)
        listenerCount += 1
        let isWaiting = listener.waits(for: self)
        if isWaiting {
            listener.claimsInner = true
        } else {
            listener.claimsSource = true
            otherCount += 1
        }
        let isPassing = inner != nil && isWaiting
        let isCircular = isPassing && waits(for: listener)
        let waitsForTurn = waitsForTurn
        unlock(listeners)
        if traits.contains(.queued) || isBehindQueue.load(ordering: .relaxed) {
            tellQueue(of: listener, isWaiting, waitsForTurn)
        }
        if isCircular { return .circular }
        if isDormant { listener.fallDormant() } else if isPassing { handOver() }
        return .listed
    }

    /// The inner node, if that listens to this one. (It need not be the one that the transform has returned: that may
    /// have handed this node over.)
    private var circularInner: Node? {
        guard word.load(ordering: .relaxed) != Word.pending, let listeners = lock() else { return nil }
        let inner = inner?.takeUnretainedValue()
        var isFound = false
        if !isDormant { listeners.forEach { if $0 === inner { isFound = true } } }
        unlock(listeners)
        return isFound ? inner : nil
    }

    /// Whether this node waits for `node` to pass on its result.
    func waits(for node: Node) -> Bool {
        inner?.toOpaque() == Unmanaged.passUnretained(node).toOpaque()
    }

    /// Makes `target` what this node waits for, though it is in its list not yet; false if it was cancelled.
    private func moves(to target: Node) -> Bool {
        guard let listeners = lock() else { return false }
        let old = inner
        inner = .passRetained(target)
        unlock(listeners)
        old?.release()
        return true
    }

    /// Takes a listener out; false if it is in this list no more, or not yet.
    func remove(_ listener: Node) -> Bool {
        guard var listeners = lock() else { return false }
        guard listener.isListed else {
            unlock(listeners)
            return false
        }
        listeners.remove(listener)
        listenerCount -= 1
        if listener.waits(for: self) {
            listener.claimsInner = false
        } else {
            listener.claimsSource = false
            otherCount -= 1
        }
        let isDormant = isDormant
        unlock(listeners)
        if !isDormant { Unmanaged.passUnretained(listener).release() }
        return true
    }
}
