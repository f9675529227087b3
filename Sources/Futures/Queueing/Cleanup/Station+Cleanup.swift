// Operations with a cleanup: in queues, in batches, for keys, and with the resources of a pool.

extension Station {
    /// The same as `enqueue`, but the turn lasts until the cleanup is complete.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node, terms) }
            let waits = node.takeTurn(T.self) {
                let cleanup = Cleanup(
                    resource, step, keeping: line.hold(node), ending: terms.runningTimer(of: node),
                    check: line.cleanupCheck(terms.origin), failure: line.cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node) { try operation(resource) }
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, terms)
        return Future(node: node)
    }

    /// The same as `enqueueBatch`, but the turn lasts until the cleanup is complete, which starts when the batch's queue
    /// is empty.
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ maxConcurrentCount: Int, _ terms: Terms,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let limits = LineLimits(maxConcurrentCount)
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return line.hear(call, of: node, terms) }
            let waits = node.takeTurn(T.self) {
                let drained = Promise<Void>()
                let batch = Batch(keeping: Hold { drained.succeed() }, batchQueue(limits))
                let cleanup = Cleanup(
                    resource, step, keeping: line.hold(node), ending: batch, after: drained.future,
                    check: line.cleanupCheck(terms.origin), failure: line.cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, { try operation(batch.queue) }, end: { batch.end(after: $0) })
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, terms)
        return Future(node: node)
    }
}

extension LaneLine {
    /// The same as `enqueue`, but the turn lasts until the cleanup is complete.
    func enqueue<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable () throws -> Future<T>,
        finally step: CleanupStep<Void, T>
    ) -> Future<T> {
        let lane = lane(of: key)
        let node = Node(source: nil, on: scheduler, terms.traits, Closure(), origin: terms.origin) {
            [self] node, call in
            guard call == .arrived else { return hear(call, of: node, lane, terms) }
            let waits = node.takeTurn(T.self) {
                let cleanup = Cleanup(
                    (), step, keeping: hold(node), ending: terms.runningTimer(of: node),
                    check: cleanupCheck(node, terms.origin), failure: cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, operation)
            }
            if waits { hasJoined(node) }
        }
        enqueue(node, lane, terms)
        return Future(node: node)
    }
}

extension Pool {
    /// The same as `visit`, but the operation has its resource until the cleanup is complete. If that fails, the resource
    /// is closed.
    func visit<T: Sendable>(
        on scheduler: Scheduler, _ terms: Terms, _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        station.enqueueHeld(on: .inPlace, terms) { [self] _, hold in
            lease(hold).flatMap(on: .inPlace) { $0.use(on: scheduler, terms.origin, operation, finally: step) }
        }
    }
}

extension Lease {
    fileprivate func use<T: Sendable>(
        on scheduler: Scheduler, _ origin: FutureError.Origin,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let users = Users { self.giveBack() }
        let node = Node(source: nil, on: scheduler, .queued, Closure()) { [self] node, call in
            switch call {
            case .arrived:
                node.takeTurn(T.self) {
                    let cleanup = Cleanup(
                        resource, step, keeping: users.hold(), check: pool.line.cleanupCheck(origin),
                        failure: CleanupFailure(handler: { [self] in pool.line.cleanupHandler }) { [self] in discard() }
                    )
                    node.keepFromNowOn(cleanup)
                    return cleanup.run(node) { try operation(resource) }
                }
            case .over: users.leave(.node)
            case .unending: ThreadState.here.letsSleep = true
            case .enqueued, .heard, .suspected, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
