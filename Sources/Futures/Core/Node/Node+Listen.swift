// Listening: how a node is attached to another one, and what it does when that node settles.

internal import Synchronization

extension Node {
    /// The node that this one listens to while it is pending.
    package var upstream: Node? { (inner ?? source)?.takeUnretainedValue().resolved }

    /// The node that this one listened to, which has settled.
    @inlinable
    var arrived: Unmanaged<Node> {
        if let inner { return inner }
        let source = source!
        // The link's target does not change while this node listens to it: a target with such a listener hands nothing
        // over.
        return source._withUnsafeGuaranteedRef { $0.isLink ? .passUnretained($0.target) : source }
    }

    /// Creates a step, a node that transforms the result of `source`, and attaches it.
    ///
    /// `operation` reads the result (`arrived`), and passes it on if the closure does not want it (`settleInJob(as:)`).
    /// Otherwise it calls the closure. Its last step is to settle the node, or to wait for the future that the closure has
    /// returned (`wait(for:)`).
    @inlinable
    static func step(
        from source: consuming Node, on scheduler: Scheduler, _ traits: Traits, _ closure: consuming Closure,
        operation: @escaping Operation
    ) -> Node {
        let node = Node(source: source, on: scheduler, traits, closure, operation: operation)
        node.attach()
        return node
    }

    /// Attaches this node to its source. If the source has settled, serves this node immediately.
    @usableFromInline
    func attach() {
        if Recording.hasExtras { prepareToAttach() }
        let addition = source!._withUnsafeGuaranteedRef { $0.add(self) }
        if addition == .settled { ThreadState.here.serve(self) } else { startCompanion() }
    }

    /// Creates a step that passes the result on, and attaches it. If the source is pending, calls `start` with `.attached`,
    /// also in each repetition. What `start` keeps in the step (`keepFromNowOn`) is disposed when the step settles.
    static func accompanied(
        _ source: consuming Node, _ traits: Traits = [], on scheduler: Scheduler,
        start: @escaping @Sendable (Node, NodeEvent) -> Void
    ) -> Node {
        step(from: source, on: scheduler, [traits, .accompanied], Closure(Accompanying(call: start))) { node, event in
            if event == .arrived { return node.settleInJob(as: node.arrived) }
            node.closure.load(as: Accompanying.self).call(node, event)
        }
    }

    /// Has the operation of an accompanied step start what accompanies it, unless the step has settled.
    func startCompanion() {
        if traits.contains(.accompanied), !isSettled { operation(self, .attached) }
    }

    /// Waits for `future`, to settle with the same result, as the last step of this node's job. Returns false if the node
    /// has settled; otherwise its job runs again, unless the node becomes a link or is cancelled.
    @usableFromInline @discardableResult
    func wait(for future: Node) -> Bool {
        let future = future.resolved
        // Without the lock, as this takes another one. Nothing else observes the failure of a node that awaits itself.
        if Recording.isOn, future !== self { Recording.recorder?.awaited(future) }
        guard let listeners = lock() else {
            cancelUnneeded(future)
            return false
        }
        guard future !== self else {
            unlock(listeners)
            settleInJob(error: FutureError.awaitsItself)
            return false
        }
        // It was set in the source's list, which does not exist any more.
        previous = nil
        inner = .passRetained(future)
        // Taken under the lock, because later another thread may settle this node. Released at the end, because a deinit of
        // the user's may be called.
        var sourceValue = takeSourceValue()
        unlock(listeners)
        defer { sourceValue?.release() }
        switch future.add(self) {
        case .listed:
            // The closure has returned a step of this node's own future. (Longer circles are not found.)
            if let other = circularInner {
                // If that has settled meanwhile, this job runs again.
                guard other.resolved.remove(self) else { return true }
                settleInJob(error: FutureError.awaitsItself)
                releaseWhatItsJobReads()
                return false
            }
            // Refused while the source has left something unfinished: then tried again.
            if source?.unfinished != nil {
                source?.takeUnretainedValue().resolved.whenFinished { self.handOver() }
            } else {
                handOver()
            }
            return true
        case .settled:
            ThreadState.here.serveNext(JobList(self))
            return true
        case .ended:
            releaseWhatItsJobReads()
            cancelUnneeded(future)
            return false
        }
    }

    /// Waits for the future that `body` returns, to settle with the same result, or fails if `body` throws.
    @inlinable
    func follow<T: Sendable>(_ body: () throws -> Future<T>) {
        do { wait(for: try body()) } catch { settleInJob(error: error) }
    }

    /// Settles with the result of `future`, which in most steps of a loop has completed, or waits for it. Returns whether
    /// the node's job will run again.
    @inlinable @discardableResult
    func wait<T: Sendable>(for future: Future<T>) -> Bool {
        let other = future.node
        defer { withExtendedLifetime(other) {} }
        guard other.isSettled else { return wait(for: other) }
        other.reading { settleInJob(as: .passUnretained(other)) }
        return false
    }
}

extension Node {
    enum Addition {
        /// The listener will be run when this node settles, if it ever does.
        case listed
        /// The listener was not added, because this node has settled.
        case settled
        /// The listener was not added, because it has ended meanwhile: it was cancelled.
        case ended
    }

    /// Adds a listener to this node, or to the node that this one is linked to.
    func add(_ listener: Node) -> Addition {
        if traits.contains(.never) { return .listed }
        guard var listeners = lock() else {
            guard isLink else { return .settled }
            let target = resolved
            if listener.passesOn(self), !listener.moves(to: target) { return .ended }
            return target.add(listener)
        }
        // A cancel settles the listener and then looks for it in this list, under this lock. So it finds the listener, or
        // it is seen here that the listener has settled.
        guard !listener.isSettled else {
            unlock(listeners)
            return .ended
        }
        listeners.add(listener)
        let isPassedOn = listener.passesOn(self)
        if !isPassedOn { otherListenerCount += 1 }
        let isPassing = inner != nil && isPassedOn
        unlock(listeners)
        if isPassing { handOver() }
        return .listed
    }

    /// The inner node, if it listens to this node. (The one that the transform has returned may have handed it over.)
    private var circularInner: Node? {
        guard word.load(ordering: .relaxed) != Word.pending, let listeners = lock() else { return nil }
        // Retained under the lock: without it, a cancel may release the inner node.
        var circular: Node?
        listeners.forEach { if passesOn($0) { circular = $0 } }
        unlock(listeners)
        return circular
    }

    /// Returns whether `node` is the inner node, whose result this node passes on.
    func passesOn(_ node: Node) -> Bool {
        inner?._withUnsafeGuaranteedRef { $0 === node } ?? false
    }

    /// Makes `target` the inner node, before this node is in its list. Returns false if this node was cancelled.
    private func moves(to target: Node) -> Bool {
        guard let listeners = lock() else { return false }
        let old = inner
        inner = .passRetained(target)
        unlock(listeners)
        old?.release()
        return true
    }

    /// Removes a listener from the list. Returns false if it is not in this list any more, or not yet.
    func remove(_ listener: Node) -> Bool {
        guard var listeners = lock() else { return false }
        guard listener.previous != nil else {
            unlock(listeners)
            return false
        }
        let removed = listeners.take(listener)
        if !listener.passesOn(self) { otherListenerCount -= 1 }
        unlock(listeners)
        withExtendedLifetime(removed) {}
        return true
    }
}
