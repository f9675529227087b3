// Permit: the right that a semaphore, a lock or a pool grants.

internal import Synchronization

/// The right that a semaphore, a lock or a pool grants, to be released once.
///
/// It is also released when the last reference to it is. The future that granted it keeps a reference for as long as
/// that future is kept: store the permit instead.
public final class Permit: Disposable {
    let line: Line
    private let lane: Lane?
    private let weight: Int
    private let loan: (pool: Pool, resource: PooledResource)?
    private let isReleased = Atomic<Bool>(false)
    private let record: (any AnyObject & Disposable)?

    fileprivate init(_ line: Line, of node: LineNode, from pool: Pool?) {
        self.line = line
        loan = pool.map { ($0, $0.lend()) }
        lane = node.lane
        weight = node.weight
        record = Recording.recorderIfOn?.permit(of: node)
    }

    deinit { release() }

    /// Gives the permit back, so that the next operation or caller in the line has its turn. Later calls do nothing.
    public func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        record?.dispose()
        if let (pool, resource) = loan { pool.takeBack(resource) }
        line.giveBack(lane, weight)
    }

    /// What a pool has lent, until the permit is released.
    var resource: PooledResource? { isReleased.load(ordering: .acquiring) ? nil : loan?.resource }

    /// Releases the permit, as ``release()`` does.
    public func dispose() { release() }
}

// A permit is a turn without a resource as a value. That of a pool has a resource.
extension TurnGiver where Resource == Void {
    /// Returns a future of a permit, which has the turn until it is released.
    ///
    ///     FutureSemaphore(count: 5).acquire(3).onValue { permit in permit.release() }     // three of them, as one
    ///
    /// A permit is released by ``Permit/release()``, or when the last reference to it is released: an optimized build
    /// releases a variable at its last use. Prefer `enqueue` and `run`, which need no permit.
    ///
    /// - Parameters:
    ///   - count: How much of the limit the permit takes, as the weight of an operation does (``TurnOptions``).
    ///   - options: The priority and the time limit of the wait, by the clock of the current scheduler. A permit has no
    ///     running time.
    ///   - file: The file that errors and reports name.
    ///   - line: The line that errors and reports name.
    /// - Precondition: `count` is at least 1.
    public func acquire(
        _ count: Int = 1, with options: TurnOptions = .init(), file: StaticString = #fileID, line: UInt = #line
    ) -> Future<Permit> {
        turns.acquire(
            count == 1 ? options : options.weight(count, file: file, line: line), .init(file, line: line))
    }

    /// Takes a turn if one is free and nothing waits for it.
    ///
    /// - Parameters:
    ///   - count: How much of the limit the permit takes.
    ///   - file: The file that reports name as the holder.
    ///   - line: The line that reports name as the holder.
    /// - Precondition: `count` is at least 1.
    /// - Returns: A permit, which has the turn until it is released; nil if too few turns are free, or the rate allows
    ///   none now.
    public func acquireIfAvailable(_ count: Int = 1, file: StaticString = #fileID, line: UInt = #line) -> Permit? {
        let options = TurnOptions().weight(count, file: file, line: line)
        return try? turns.acquire(options, .init(file, line: line), mayWait: false).result?.get()
    }
}

extension TurnSource {
    func acquire(
        _ options: TurnOptions, _ origin: FutureError.SourceLocation, mayWait: Bool = true
    ) -> Future<Permit> {
        let node = node(on: .inPlace, options, origin, Closure()) { [core] node, _ in
            let node = node.lineNode
            // Cancelled before, the node gives back the turn itself; from here on, the permit does.
            guard node.tryBegin() else { return node.endTurnAfterListeners() }
            core.line.state.withLock { $0.detach(node) }
            node.settleInJob(Permit(core.line, of: node, from: core.pool))
        }
        if mayWait { node.enqueue() } else { core.line.enqueue(node, mayWait: false) }
        return Future(node: node)
    }
}

extension Future {
    /// Returns a future that refers to `permit` until it completes. So a permit that the closure of a `flatMap` ignores
    /// is kept until the closure's future completes.
    @usableFromInline
    func keeping(_ permit: any Sendable) -> Future {
        if isCompleted { return self }
        let kept = Locked<(any Sendable)?>(permit)
        return always(on: .immediate) {
            let permit = kept.withLock { $0.take() }
            // Released without the lock.
            withExtendedLifetime(permit) {}
        }
    }
}
