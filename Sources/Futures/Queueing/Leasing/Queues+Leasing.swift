// Leasing: queues and locks whose turns exclude other processes and machines.

extension FutureQueue {
    /// Creates a queue whose turns also exclude other processes or machines: it takes an outer lease for each of them.
    ///
    /// Operations run one at a time, each while this queue has the lease. If it loses the lease, the operation that
    /// runs fails with ``QueueError/leaseLost(name:)``, and its future is cancelled; so is one that has to wait for the
    /// lease if the provider fails. A time limit of the wait includes the wait for the lease.
    /// `Documentation/Leases.md` shows providers.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - resource: What each operation is called with.
    ///   - provider: What grants the leases.
    ///   - name: The name of the leases.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - overflow: What fails beyond it: the operation that is enqueued, or the oldest one that waits.
    ///   - rate: The rate at which operations start at most; nil for no limit.
    ///   - scheduler: What operations are called on that belong to no actor and are enqueued without `on(_:)`; nil for the
    ///     scheduler that is current when they are enqueued.
    ///   - leaseScheduler: The scheduler on which the provider is called, and whose clock measures the leases' duration.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, resource: Resource, leasesFrom provider: some OuterLeaseProvider, named name: String,
        maxWaitingCount: Int = .max, overflow: QueueOverflow = .reject, rate: RateLimit? = nil,
        executeOn scheduler: Scheduler? = nil,
        leasesOn leaseScheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            resource, LineLimits(1, maxWaitingCount, rate, overflow: overflow, file: file, line: line),
            named: LineName("FutureQueue", label, file, line), executeOn: scheduler,
            leasing: LineLeasing(from: provider, on: leaseScheduler) { _ in name })
    }
}

extension FutureQueue<Void> {
    /// Creates a queue without a resource whose turns also exclude other processes or machines: it takes an outer lease
    /// for each of them.
    ///
    /// Operations run one at a time, each while this queue has the lease. If it loses the lease, the operation that
    /// runs fails with ``QueueError/leaseLost(name:)``, and its future is cancelled; so is one that has to wait for the
    /// lease if the provider fails. A time limit of the wait includes the wait for the lease.
    /// `Documentation/Leases.md` shows providers.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - provider: What grants the leases.
    ///   - name: The name of the leases.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - overflow: What fails beyond it: the operation that is enqueued, or the oldest one that waits.
    ///   - rate: The rate at which operations start at most; nil for no limit.
    ///   - scheduler: What operations are called on that belong to no actor and are enqueued without `on(_:)`; nil for the
    ///     scheduler that is current when they are enqueued.
    ///   - leaseScheduler: The scheduler on which the provider is called, and whose clock measures the leases' duration.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    /// - Precondition: `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, leasesFrom provider: some OuterLeaseProvider, named name: String,
        maxWaitingCount: Int = .max, overflow: QueueOverflow = .reject, rate: RateLimit? = nil,
        executeOn scheduler: Scheduler? = nil,
        leasesOn leaseScheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            label: label, resource: (), leasesFrom: provider, named: name, maxWaitingCount: maxWaitingCount,
            overflow: overflow, rate: rate,
            executeOn: scheduler, leasesOn: leaseScheduler, file: file, line: line)
    }
}

extension KeyedFutureQueue {
    /// Creates a queue whose turns also exclude other processes or machines: it takes an outer lease for each of them,
    /// whose name is that of its key.
    ///
    /// Of a key, operations run one at a time, each while this queue has the key's lease. If it loses the lease, the
    /// operation that runs fails with ``QueueError/leaseLost(name:)``, and its future is cancelled; so is one that has
    /// to wait for the lease if the provider fails. A time limit of the wait includes the wait for the lease.
    /// `Documentation/Leases.md` shows providers.
    ///
    /// - Parameters:
    ///   - label: What messages call the queue; nil for the place where it is made.
    ///   - provider: What grants the leases.
    ///   - name: Returns the name of a key's leases: another one for each key. Called as the provider is.
    ///   - maxConcurrentCount: The maximum number of operations that run concurrently, or wait for a lease.
    ///   - maxWaitingCount: The maximum number of operations that wait; beyond it, enqueuing fails with
    ///     ``QueueError/full(maxWaitingCount:)``.
    ///   - rate: The rate at which operations start at most, whatever their keys; nil for no limit.
    ///   - leaseScheduler: The scheduler on which the provider is called, and whose clock measures the leases' duration.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - lineNumber: The line named by the trap if a precondition fails.
    /// - Precondition: `maxConcurrentCount` is at least 1, and `maxWaitingCount` is not negative.
    public convenience init(
        label: String? = nil, leasesFrom provider: some OuterLeaseProvider,
        named name: @escaping @Sendable (Key) -> String,
        maxConcurrentCount: Int = .max, maxWaitingCount: Int = .max, rate: RateLimit? = nil,
        leasesOn leaseScheduler: Scheduler = .background, file: StaticString = #fileID,
        line lineNumber: UInt = #line
    ) {
        let limits = LineLimits(maxConcurrentCount, maxWaitingCount, rate, file: file, line: lineNumber)
        // All lanes of a queue are of this type: its keys are.
        let leasing = LineLeasing(from: provider, on: leaseScheduler) {
            name(unsafeDowncast($0!, to: KeyedLane<Key>.self).key)
        }
        self.init(
            Line(
                limits, maxConcurrentCountPerKey: 1, named: LineName("KeyedFutureQueue", label, file, lineNumber),
                leasing: leasing))
    }
}

extension FutureMutex {
    /// Creates a lock that also excludes other processes or machines: it takes an outer lease whenever it is taken.
    ///
    /// If it loses the lease, the operation that has the lock fails with ``QueueError/leaseLost(name:)``, and its
    /// future is cancelled. The holder of a ``Permit`` can only see that ``TurnGiver/lease`` is nil. A time limit of the wait
    /// includes the wait for the lease. `Documentation/Leases.md` shows providers.
    ///
    /// - Parameters:
    ///   - label: What messages call the lock; nil for the place where it is made.
    ///   - provider: What grants the leases.
    ///   - name: The name of the leases.
    ///   - leaseScheduler: The scheduler on which the provider is called, and whose clock measures the leases' duration.
    ///   - file: The file in that place.
    ///   - line: The line in that place.
    public convenience init(
        label: String? = nil, leasesFrom provider: some OuterLeaseProvider, named name: String,
        leasesOn leaseScheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            Line(
                LineLimits(1), named: LineName("FutureMutex", label, file, line),
                leasing: LineLeasing(from: provider, on: leaseScheduler) { _ in name }))
    }
}

extension TurnGiver {
    /// The outer lease of the operation or the permit that has the turn; nil if none has it, or the lease is lost, or
    /// no leases are taken.
    ///
    /// For the operation itself: it passes the lease's token to what it changes.
    public var lease: OuterLease? {
        if case .line(let core, let lane, _) = turns.kind { core.line.leasing?[lane]?.lease } else { nil }
    }
}
