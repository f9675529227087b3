// Pool: creates, lends, checks and closes the resources of a ResourcePool.

/// Creates, lends, checks and closes the resources of a ``ResourcePool``.
// Safe to share: `owner` changes in the deinit only.
@usableFromInline
final class Pool<Resource: Sendable>: PoolStock, @unchecked Sendable {
    /// The closures of the pool's owner, the time limit of their futures, and where the pool was made.
    struct Owner {
        let create: @Sendable () throws -> Future<Resource>
        let check: (@Sendable (Resource) throws -> Future<Bool>)?
        let close: @Sendable (Resource) throws -> Future<Void>
        let timeLimit: Duration
        let origin: FutureError.SourceLocation
    }

    /// A resource of a pool.
    // Safe to share: its own property does not change.
    private final class Owned: PooledResource, @unchecked Sendable {
        let resource: Resource

        init(_ resource: Resource) { self.resource = resource }
    }

    @exclusivity(unchecked) private var owner: Owner?

    init(
        _ limits: LineLimits, named name: LineName, idleTimeout: Duration?, on scheduler: Scheduler, _ owner: Owner
    ) {
        self.owner = owner
        super.init(limits, named: name, isChecked: owner.check != nil, idleTimeout: idleTimeout, on: scheduler)
    }

    deinit {
        // Pools may be each other's resources, however many.
        var state: PoolState? = takeState()
        DeferredReleases.here.collect {
            DeferredReleases.here.release(&owner)
            DeferredReleases.here.release(&state)
        }
    }

    /// A resource with its type: the state has only this pool's.
    @inline(__always)
    static func typed(_ resource: PooledResource) -> Resource { unsafeDowncast(resource, to: Owned.self).resource }

    override func begin(_ work: PoolWork) {
        let owner = owner!
        if let resource = work.resource {
            work.bag += call {
                try owner.check!(Self.typed(resource))
            } end: { [self] result in
                let isHealthy = if case .success(true) = result { true } else { false }
                change { state, _ in state.complete(work, checking: resource, isHealthy: isHealthy) }
            }
        } else {
            let creation = Locked<Future<Resource>?>(nil)
            work.bag += call { [self] in
                let future = try owner.create()
                creation.withLock { $0 = future }
                _ = Node.listener(to: future.node, .watcher) { [self] arrival in
                    guard arrival.isSuccess else { return }
                    let resource = Owned(arrival.child.value(as: Resource.self))
                    change { state, _ in state.complete(work, resource) }
                    work.created?.succeed()
                }
                return future
            } end: { [self] result in
                // A creation that has succeeded keeps its place, also if it was cancelled at that moment: its listener,
                // which another thread may be about to call, gives the resource.
                let future = creation.withLock { $0.take() }
                let hasSucceeded = future?.node.resolved.isSuccess == true
                guard case .failure(let error) = result, !hasSucceeded else { return }
                change { state, _ in state.fail(work, error) }
                work.created?.fail(error)
            }
        }
    }

    /// Closes a resource. On a concurrent scheduler, this is another job: a `close` that blocks delays neither the
    /// closing of other resources nor the callback in progress.
    override func close(_ resource: PooledResource) {
        let close = owner!.close
        _ = call(isBeside: scheduler.hasBeside) {
            try close(Self.typed(resource))
        } end: { [self] _ in
            change { state, _ in state.hasClosed() }
        }
    }

    /// Calls a closure of the pool's owner on the pool's scheduler, and `end` when its future has completed. If that is
    /// cancelled, or takes too long, `end` is called when the closure has returned and what that returned is disposed: the
    /// resource is not used any more.
    private func call<T>(
        isBeside: Bool = false, _ body: @escaping @Sendable () throws -> Future<T>,
        end: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> Future<T> {
        let call = { @Sendable [scheduler] in
            Future<Void>().stepOfNode(on: scheduler, [.values, .inTurn]) { _ in .future(try body()) }
        }
        let future = (isBeside ? scheduler.beside(call) : call())
            .limited(.after(owner!.timeLimit), on: scheduler.forLimits, owner!.origin) {
                $0.giveUp(FutureError.timedOut(after: $1, origin: $2))
            }
        // The pool has its error.
        future.node.noteObserved()
        _ = Node.listener(to: future.node, [.watcher, .afterDisposal]) { end($0.child.result(as: T.self)) }
        return future
    }
}
