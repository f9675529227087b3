// Operations with a cleanup: in queues, in batches, for keys, and with the resources of a pool.

extension QueueCore {
    /// Enqueues an operation whose turn lasts until its cleanup is complete.
    func enqueue<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions, in lane: Lane? = nil,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = LineNode(in: line, lane, on: scheduler, options) { [self] node, _ in
            node.lineNode.takeTurn(with: resource, { try operation(resource) }, finally: step)
        }
        node.enqueue()
        return Future(node: node)
    }

    /// Enqueues a batch whose turn lasts until its cleanup is complete, which starts when the batch's queue is empty.
    func enqueueBatch<T: Sendable>(
        on scheduler: Scheduler, _ limits: LineLimits, _ options: QueueOptions,
        _ operation: @escaping @Sendable (FutureQueue<Resource>) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = LineNode(in: line, nil, on: scheduler, options) { [self] node, _ in
            let node = node.lineNode
            node.takeTurn(T.self) {
                let drained = Promise<Void>()
                let batch = Batch(
                    keeping: Turn { drained.succeed() }, batchQueue(limits),
                    timer: node.timeLimits?.runningTimer(of: node))
                let cleanup = Cleanup(
                    resource, step, keeping: line.turn(of: node), ending: batch, after: drained.future,
                    check: line.cleanupCheck(of: node, node.origin), failure: line.cleanupFailure)
                node.keepFromNowOn(cleanup)
                return cleanup.run(node, { try operation(batch.queue) }, end: { batch.end(after: $0) })
            }
        }
        node.enqueue()
        return Future(node: node)
    }
}

extension LineNode {
    /// The job of an operation whose turn lasts until its cleanup is complete.
    fileprivate final func takeTurn<Resource: Sendable, T: Sendable>(
        with resource: Resource, _ operation: () throws -> Future<T>, finally step: CleanupStep<Resource, T>
    ) {
        takeTurn(T.self) {
            let cleanup = Cleanup(
                resource, step, keeping: line.turn(of: self), ending: timeLimits?.runningTimer(of: self),
                check: line.cleanupCheck(of: self, origin), failure: line.cleanupFailure)
            keepFromNowOn(cleanup)
            return cleanup.run(self, operation)
        }
    }
}

extension Pool {
    /// Calls `operation` with a resource, once there is one for it; it has the resource until its cleanup is complete.
    /// If the cleanup fails, the resource is closed.
    func visit<T: Sendable>(
        on scheduler: Scheduler, _ options: QueueOptions,
        _ operation: @escaping @Sendable (Resource) throws -> Future<T>,
        finally step: CleanupStep<Resource, T>
    ) -> Future<T> {
        let node = PoolNode(self, on: scheduler, options) { [self] node, _ in
            let node = unsafeDowncast(node, to: PoolNode.self)
            node.takeTurn(T.self) {
                let lent = try lend(to: node)
                let cleanup = Cleanup(
                    typed(lent), step, keeping: turn(of: node), ending: node.timeLimits?.runningTimer(of: node),
                    check: line.cleanupCheck(of: node, node.origin),
                    failure: CleanupFailure(handler: { [self] in line.cleanupHandler }) { [self] in spoil(lent) })
                node.keepFromNowOn(cleanup)
                return cleanup.run(node) { try operation(typed(lent)) }
            }
        }
        node.enqueue()
        return Future(node: node)
    }
}
