// QueuedNode: a root that waits for its turn in a queue, lock or pool: the one extension point of the node.

/// A root that waits for its turn. What gives the turns makes a subclass of this, whose methods the core calls: without
/// a lock, and from any thread.
///
/// Its operation is called when its turn has come, and calls `takeTurn`.
// It is in no source's list before it begins, so its place in a list serves as its place in a queue.
//
// The turn of a node that has begun is over once no job of its own has anything to do any more: the thread that
// completes it in its job, or finds it settled there, or takes it out of the list of its inner node, calls `ended`.
// That of a node which is cancelled before it begins is over at once.
@usableFromInline
class QueuedNode: Node, @unchecked Sendable {
    @inlinable
    init(
        on scheduler: Scheduler, _ closure: consuming Closure, origin: FutureError.Origin,
        operation: @escaping Operation
    ) {
        super.init(source: nil, on: scheduler, .queued, closure, origin: origin, operation: operation)
    }

    /// Makes the node of a repetition, which has yet to be enqueued. None, if no repetition can come by this node.
    func copy() -> QueuedNode? { nil }

    /// Asks for the turn.
    @usableFromInline
    func enqueue() {}

    /// The node has another listener, and may not have begun.
    func gainedListener() {}

    /// The node, which has its turn, waits for the future that its operation has returned.
    @usableFromInline
    func joined() {}

    /// Returns whether only a cancel from below can end the node, now that what it waits for cannot complete.
    func cannotComplete() -> Bool { true }

    /// The node has settled and its listeners were called, or it was cancelled before it began. Called at least once.
    func ended() {}

    /// Ends the turn of a node that waits for a future that never completes, as nobody refers to the node any more.
    ///
    /// To be called by the `deinit` of a subclass: behind that, its properties are gone, which `ended` may need.
    @inline(__always)
    final func endIfPending() {
        if !isSettled { endPending() }
    }

    @inline(never)
    private func endPending() {
        leaveDormant()
        ThreadState.here.serving { ended() }
    }
}

extension Node {
    /// This node, if it waits for its turn in a queue, or has done so.
    @inlinable var queued: QueuedNode? {
        traits.contains(.queued) ? unsafeDowncast(self, to: QueuedNode.self) : nil
    }

    /// Whether this node still waits for its turn. Under the lock.
    var waitsForTurn: Bool { traits.contains(.queued) && !hasBegun }

    /// Whether it has begun. To be asked under the lock, or when it has settled.
    var hasBegun: Bool {
        if case .waiting = progress { false } else { true }
    }
}

extension QueuedNode {
    /// The job of a node whose turn has come, or is over: `begin` makes the future to go on as, if that is to be done.
    @inlinable
    func takeTurn<T: Sendable>(_: T.Type, _ begin: () throws -> Future<T>) {
        if goesOn(T.self, begin) { joined() }
    }

    /// Whether the node waits now for the future that `begin` has made.
    @inlinable
    func goesOn<T: Sendable>(_: T.Type, _ begin: () throws -> Future<T>) -> Bool {
        if self.begin() {
            do {
                let future = try begin().completingWithCarried
                if goOn(as: future) { return true }
                isOver()
                // Released behind the end of the turn.
                withExtendedLifetime(future) {}
                return false
            } catch {
                finish(error: error)
            }
        }
        isOver()
        return false
    }

    /// The job of a node that has its result when its turn is over.
    @inlinable
    func takeTurn<T: Sendable>(producing body: () throws -> T) {
        if begin() { finish(body) }
        isOver()
    }

    /// Goes on as what `future` settles with; false if the node is over.
    @inlinable
    func goOn<T: Sendable>(as future: Future<T>) -> Bool {
        let other = future.node
        defer { withExtendedLifetime(other) {} }
        guard other.isSettled else { return wait(for: other) }
        other.claimed { finish(as: .passUnretained(other)) }
        return false
    }

    /// Runs once more, as a job behind those of the listeners, which then tells the queue that the node has ended.
    @usableFromInline
    func isOver() {
        ThreadState.here.serveLast(JobList(self))
    }

    /// Fails the node if it has not begun.
    func giveUpWaiting(_ error: any Error) {
        end(with: error) { node, _ in !node.hasBegun }
    }
}

extension QueuedNode {
    /// Keeps what is to be disposed when the node begins, or ends without; at once, if it has.
    func keepUntilBegun(_ disposable: any Disposable & AnyObject) {
        guard let listeners = lock() else { return disposable.dispose() }
        let hasBegun = hasBegun
        if !hasBegun { keepLocal(disposable) }
        unlock(listeners)
        if hasBegun { disposable.dispose() }
    }
}
