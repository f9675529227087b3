// Operations with a cleanup: in queues, in batches, for keys, and with the resources of a pool.

extension QueueCore {
    /// The same as `enqueue`, but the turn lasts until the cleanup is complete.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = Node(source: nil, on: scheduler, options.traits, Closure(), origin: options.origin) {
            [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node, options) }
            let waits = node.takeTurn(T.self) {
                let cleanup = Cleanup(
                    resource, step, keeping: line.hold(node), ending: options.runningTimer(of: node),
                    check: line.cleanupCheck(of: node, options.origin), failure: line.cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node) { try operation(resource) }
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, options)
        return Future(node: node)
    }

    /// The same as `enqueueBatch`, but the turn lasts until the cleanup is complete, which starts when the batch's queue
    /// is empty.
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ maxConcurrentCount: Int, _ options: QueueOptions,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let limits = LineLimits(maxConcurrentCount)
        let node = Node(source: nil, on: scheduler, options.traits, Closure(), origin: options.origin) {
            [self] node, event in
            guard event == .arrived else { return line.handle(event, of: node, options) }
            let waits = node.takeTurn(T.self) {
                let drained = Promise<Void>()
                let batch = Batch(keeping: Hold { drained.succeed() }, batchQueue(limits))
                let cleanup = Cleanup(
                    resource, step, keeping: line.hold(node), ending: batch, after: drained.future,
                    check: line.cleanupCheck(of: node, options.origin), failure: line.cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, { try operation(batch.queue) }, end: { batch.end(after: $0) })
            }
            if waits { line.hasJoined(node) }
        }
        line.enqueue(node, options)
        return Future(node: node)
    }
}

extension Line {
    /// The same as `enqueue`, but the turn lasts until the cleanup is complete.
    func enqueue<Key: Hashable & Sendable, T: Sendable>(
        for key: Key, on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable () throws -> Future<T>,
        finally step: CleanupStep<Void, T>
    ) -> Future<T> {
        let lane = lane(of: key)
        let node = Node(source: nil, on: scheduler, options.traits, Closure(), origin: options.origin) {
            [self] node, event in
            guard event == .arrived else { return handle(event, of: node, options, in: lane) }
            let waits = node.takeTurn(T.self) {
                let cleanup = Cleanup(
                    (), step, keeping: hold(node), ending: options.runningTimer(of: node),
                    check: cleanupCheck(of: node, options.origin), failure: cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, operation)
            }
            if waits { hasJoined(node) }
        }
        enqueue(node, options, in: lane)
        return Future(node: node)
    }
}

extension Pool {
    /// The same as `visit`, but the operation has its resource until the cleanup is complete. If that fails, the resource
    /// is closed.
    func visit<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        core.enqueueHeld(on: .inPlace, options) { [self] _, hold in
            lease(hold).flatMap(on: .inPlace) { $0.use(on: scheduler, options.origin, operation, finally: step) }
        }
    }
}

extension Lease {
    fileprivate func use<T: Sendable>(
        on scheduler: Scheduler, _ origin: FutureError.Origin,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let users = Users { self.giveBack() }
        let node = Node(source: nil, on: scheduler, .queued, Closure()) { [self] node, event in
            switch event {
            case .arrived:
                node.takeTurn(T.self) {
                    let cleanup = Cleanup(
                        resource, step, keeping: users.hold(), check: pool.line.cleanupCheck(of: node, origin),
                        failure: CleanupFailure(handler: { [self] in pool.line.cleanupHandler }) { [self] in discard() }
                    )
                    node.keepFromNowOn(cleanup)
                    return cleanup.run(node) { try operation(resource) }
                }
            case .ended: users.leave(.node)
            case .cannotComplete: ThreadState.here.letsSleep = true
            case .enqueued, .gainedListener, .suspected, .cancelled: return
            }
        }
        node.queue = ObjectIdentifier(self)
        ThreadState.here.serve(node)
        return Future(node: node)
    }
}
