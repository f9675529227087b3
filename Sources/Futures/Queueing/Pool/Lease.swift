// Lease: a resource that is lent, and the turn of the operation that has it.

internal import Synchronization

/// A resource of a pool.
// Safe to share: its own property does not change.
final class Owned<Resource: Sendable>: PooledResource, @unchecked Sendable {
    let resource: Resource

    init(_ resource: Resource, in place: Turn) {
        self.resource = resource
        super.init(in: place)
    }
}

/// A resource that is lent, and the turn of the operation that has it. It is given back once: at the latest with the
/// last reference to the lease.
final class Lease<Resource: Sendable>: Releasable {
    private let owned: Owned<Resource>
    private let turn: Turn
    let pool: Pool<Resource>
    private let isOver = Atomic<Bool>(false)

    init(_ owned: Owned<Resource>, _ turn: Turn, _ pool: Pool<Resource>) {
        self.owned = owned
        self.turn = turn
        self.pool = pool
    }

    deinit { release() }

    var resource: Resource { owned.resource }

    /// Gives back first the resource and then the turn.
    func release() {
        guard take() else { return }
        pool.giveBack(owned)
        turn.release()
    }

    /// Closes the resource instead of giving it back, and gives back the turn.
    func discard() {
        guard take() else { return }
        pool.discard(owned)
        turn.release()
    }

    /// Takes the resource from the lease, and returns whether it had not been given back. Then the caller has it.
    @discardableResult
    func take() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

    /// Calls `operation` with the resource, which is given back when its closure has returned and its future has
    /// completed.
    func use<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource) throws -> Future<T>
    ) -> Future<T> {
        let node = LeaseNode(on: scheduler, releasing: self) { [self] node, _ in
            node.queued!.takeTurn(T.self) { try operation(resource) }
        }
        return node.startedNext()
    }

    /// Calls `operation` with the resource and a turn; the resource is given back when that is released.
    func useWithTurn<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable (Resource, Turn) throws -> Future<T>
    ) -> Future<T> {
        let turn = Turn { self.release() }
        let node = LeaseNode(on: scheduler, releasing: turn) { [self] node, _ in
            node.queued!.takeTurn(T.self) { try operation(resource, turn.share()) }
        }
        return node.startedNext()
    }
}

/// An operation with a lease: it has its turn from the beginning. No repetition comes by it, as its lease is for one
/// run.
// Safe to share: its properties do not change.
final class LeaseNode: QueuedNode, @unchecked Sendable {
    private let turn: any Releasable

    init(on scheduler: Scheduler, releasing turn: any Releasable, operation: @escaping Operation) {
        self.turn = turn
        super.init(on: scheduler, Closure(), origin: .init(), operation: operation)
    }

    deinit { endIfPending() }

    /// Starts the operation after the step that returns its future. So a cancel that comes meanwhile finds it behind
    /// that step, and waits for its closure.
    func startedNext<T>() -> Future<T> {
        if Recording.isCarrying { capture() }
        ThreadState.here.serveNext(JobList(self))
        return Future(node: self)
    }

    override func ended() { turn.release() }
}
