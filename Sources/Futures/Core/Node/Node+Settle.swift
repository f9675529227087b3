// Settling: how a node gets its result, and who hears of it.

extension Node {
    /// Completes the node as the last step of its own job: its listeners are served next.
    @inlinable
    func finish<T: Sendable>(_ value: consuming T) {
        guard let listeners = lockToFinish() else { return }
        payload.store(value)
        finish(Word.success, listeners)
    }

    @inlinable
    func finish(error: any Error) {
        guard let listeners = lockToFinish() else { return }
        payload.store(error: error)
        finish(Word.failure, listeners)
    }

    /// Completes the node with what `body` returns or throws.
    @inlinable
    func finish<T: Sendable>(_ body: () throws -> T) {
        do { finish(try body()) } catch { finish(error: error) }
    }

    /// Completes the node as `other` has settled, whose result has this node's type.
    @usableFromInline
    func finish(as other: Unmanaged<Node>) {
        guard let listeners = lockToFinish() else { return }
        other._withUnsafeGuaranteedRef { payload.store(copyOf: $0.payload) }
        finish(other.isSuccess ? Word.success : Word.failure, listeners)
    }

    /// The same from outside; false if the node has a result already.
    @discardableResult
    func complete(as other: Node) -> Bool {
        let other = other.resolved
        guard let listeners = lockToSettle() else { return false }
        payload.store(copyOf: other.payload)
        complete(other.isSuccess ? Word.success : Word.failure, listeners)
        return true
    }

    /// Completes the node from outside and serves its listeners; false if it has a result already.
    @inlinable @discardableResult
    func complete<T: Sendable>(_ result: Result<T, any Error>) -> Bool {
        switch result {
        case .success(let value): complete(value)
        case .failure(let error): complete(error: error)
        }
    }

    @inlinable @discardableResult
    func complete<T: Sendable>(_ value: consuming T) -> Bool {
        guard let listeners = lockToSettle() else { return false }
        payload.store(value)
        complete(Word.success, listeners)
        return true
    }

    @inlinable @discardableResult
    func complete(error: any Error) -> Bool {
        guard let listeners = lockToSettle() else { return false }
        payload.store(error: error)
        complete(Word.failure, listeners)
        return true
    }
}

extension Node {
    /// The lock, if the node may still get a result.
    @usableFromInline
    func lockToSettle() -> Listeners? {
        guard let listeners = lock() else { return nil }
        guard case .completedEarly = progress else { return listeners }
        unlock(listeners)
        return nil
    }

    /// The same for the last step of this node's job.
    @usableFromInline
    func lockToFinish() -> Listeners? {
        if let listeners = lockToSettle() { return listeners }
        publishReads()
        return nil
    }

    @usableFromInline
    func finish(_ end: UInt, _ listeners: Listeners) {
        let keeps = givesClaimToWord()
        show(keeps ? end | Word.keeps : end, listeners) { ThreadState.here.serveLast($0) }
        emptySources(own: keeps)
    }

    @usableFromInline
    func complete(_ end: UInt, _ listeners: Listeners) {
        if case .starting = progress {
            progress = .completedEarly(isSuccess: end == Word.success)
            unlock(listeners)
        } else if traits.contains(.combines) {
            // By its child's listener, which refers to it, so that what passes on the result now could not release it.
            // That is the last thing which that one does. To dispose is to leave the children, and releases their
            // results.
            ThreadState.here.endsJob()
            show(end, listeners) { ThreadState.here.serveLast($0) }
        } else {
            show(end, listeners) { if !$0.isEmpty { ThreadState.here.serve($0) } }
        }
    }

    /// Disposes, shows the result, and has the listeners served, in this order (Contract/Life.md). Then releases what
    /// is not needed any more.
    @inline(__always)
    private func show(_ end: UInt, _ listeners: Listeners, serve: (JobList) -> Void) {
        var listeners = listeners
        guard hasExtras else {
            let jobs = listeners.take()
            unlock(endedAs: tracking(end))
            serve(jobs)
            return
        }
        let local = takeLocal()
        var jobs = JobList()
        if let local { listeners = disposing(local, before: end, listeners, &jobs) }
        let isUrgentFirst = !jobs.isEmpty
        jobs.append(listeners.take())
        if isUrgentFirst { jobs = jobs.urgentFirst }
        let inner = inner.take()
        let cell = takeCell()
        let parent = parent.take()
        unlock(endedAs: tracking(end))
        serve(jobs)
        if let inner { release(inner) }
        if !isDormant { parent?.release() }
        withExtendedLifetime(cell) {}
        if let local { DeferredReleases.here.release(local) }
    }

    /// Whether there is something to dispose or to release, which most nodes do not have.
    private var hasExtras: Bool {
        inner != nil || parent != nil || cellReference != nil || !localSlot.isEmpty
    }

    /// Disposes without the lock; the result is there and no other can come, but who attaches now still has to wait.
    ///
    /// A combination's children are only cancelled: what follows from that is added to `jobs`, to be served with the
    /// listeners.
    private func disposing(
        _ local: any Disposable & AnyObject, before end: UInt, _ listeners: Listeners, _ jobs: inout JobList
    ) -> Listeners {
        progress = .completedEarly(isSuccess: end & Word.success != 0)
        unlock(listeners)
        if traits.contains(.combines) {
            jobs = unsafeDowncast(local, to: Combination.self).leave()
        } else {
            ThreadState.here.callOut { local.dispose() }
        }
        return lock()!
    }
}

extension Node {
    /// Begins the operation; false if the node was cancelled before.
    @usableFromInline
    func starting() -> Bool {
        guard let listeners = lock() else { return false }
        progress = .starting
        unlock(listeners)
        return true
    }

    /// Keeps the disposable that the operation has returned; disposes it if the operation is over already.
    @usableFromInline
    func started(with disposable: any Disposable) {
        let object = disposable.asObject
        guard let listeners = lock() else { return disposable.dispose() }
        keepLocal(object)
        started(listeners)
    }

    /// The same for a combination, whose disposable is kept already.
    func started() {
        if let listeners = lock() { started(listeners) }
    }

    // The last step of a job; or of what makes the node, which nobody listens to yet (a combination in `serving`). A
    // loop of its own would nest the repetitions of an operation that completes at once, up to the limit: then the
    // sixteenth is not as the first one.
    private func started(_ listeners: Listeners) {
        if case .completedEarly(let isSuccess) = progress {
            // With listeners, it was made before: then this is a job.
            show(isSuccess ? Word.success : Word.failure, listeners) {
                if !$0.isEmpty { ThreadState.here.serveLast($0) }
            }
        } else {
            progress = .begun
            unlock(listeners)
        }
    }

    /// Keeps what belongs to this run; there must be nothing yet.
    func keepLocal(_ object: (any Disposable & AnyObject)?) {
        if let object { localSlot.store(Local(object: object)) }
    }

    func takeLocal() -> (any Disposable & AnyObject)? {
        localSlot.isEmpty ? nil : localSlot.take(as: Local.self).object
    }

    /// What the node combines, while it is pending. Under its lock.
    var combination: Combination? {
        // A cast would ask the runtime, for 150 instructions.
        traits.contains(.combines) && !localSlot.isEmpty
            ? unsafeDowncast(localSlot.content(as: Local.self).object, to: Combination.self) : nil
    }

    /// As a struct: a generic parameter would open the existential.
    private struct Local {
        let object: any Disposable & AnyObject
    }

    /// Claims the one call of a handler that must not be called twice; false if a cancel was first.
    @usableFromInline
    func begin() -> Bool {
        guard let listeners = lock() else {
            publishReads()
            return false
        }
        progress = .begun
        unlock(listeners)
        return true
    }
}

extension Disposable {
    /// The disposable as an object, boxed if it is none; nothing, if there is nothing to dispose.
    fileprivate var asObject: (any Disposable & AnyObject)? {
        // Not `self is NilDisposer`: a cast asks the runtime, for 150 instructions.
        if Self.self == NilDisposer.self { return nil }
        return self as? any Disposable & AnyObject ?? Disposer(dispose)
    }
}
