// Settling: how a node gets its result, and who hears of it.

extension Node {
    /// Completes the node from outside and serves its listeners; false if it has a result already.
    @discardableResult
    func complete<T: Sendable>(_ result: Result<T, any Error>) -> Bool {
        settle(result) { ThreadState.here.serve($0) }
    }

    /// Completes the node as the last step of its own job: its listeners are served next.
    func finish<T: Sendable>(_ result: Result<T, any Error>) {
        settle(result) { ThreadState.here.serveNext($0) }
    }

    @discardableResult
    private func settle<T: Sendable>(_ result: Result<T, any Error>, serve: (JobList) -> Void) -> Bool {
        let box: AnyObject
        let end: UInt
        switch result {
        case .success(let value): (box, end) = (Box(value), Word.success)
        case .failure(let error): (box, end) = (Box(error), Word.failure)
        }
        guard let listeners = lock() else { return false }
        switch progress {
        case .starting:
            self.result = box
            progress = .completedEarly(end: end)
            unlock(listeners)
            return true
        case .completedEarly:
            unlock(listeners)
            return false
        case .waiting, .begun:
            self.result = box
            show(end, listeners, serve: serve)
            return true
        }
    }

    /// Shows the result: unlocks, disposes, and has the listeners served, in this order (rule 4).
    private func show(_ end: UInt, _ listeners: Listeners, serve: (JobList) -> Void) {
        var listeners = listeners
        var jobs = listeners.take()
        let local = local.take()
        let inner = inner.take()
        unlock(settledAs: end)
        if let local {
            if traits.contains(.sequel) { jobs.append((local as! any Sequel).sequel) }
            local.dispose()
        }
        serve(jobs)
        withExtendedLifetime(inner) {}
    }
}

extension Node {
    /// Begins the operation; false if the node was cancelled before.
    func starting() -> Bool {
        guard let listeners = lock() else { return false }
        progress = .starting
        unlock(listeners)
        return true
    }

    /// Keeps the disposable that the operation has returned; disposes it if the operation is over already.
    func started(with disposable: any Disposable) {
        guard let listeners = lock() else { return disposable.dispose() }
        local = disposable
        if case .completedEarly(let end) = progress {
            show(end, listeners) { ThreadState.here.serve($0) }
        } else {
            progress = .begun
            unlock(listeners)
        }
    }

    /// Claims the one call of a handler that must not be called twice; false if a cancel was first.
    func begin() -> Bool {
        guard let listeners = lock() else { return false }
        progress = .begun
        unlock(listeners)
        return true
    }
}

extension Node {
    /// What the node settled with; it must have settled.
    func settledResult<T: Sendable>(as type: T.Type) -> Result<T, any Error> {
        if isSuccess {
            .success(unsafeDowncast(result!, to: Box<T>.self).value)
        } else {
            .failure(settledError)
        }
    }

    private var settledError: any Error {
        unsafeDowncast(result!, to: Box<any Error>.self).value
    }

    /// Which trait a listener must have to want what this node settled with.
    var outcome: Traits {
        if isSuccess { return .values }
        return settledError is CancellationError ? .cancellations : .failures
    }
}
