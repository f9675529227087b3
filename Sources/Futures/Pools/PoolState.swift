// PoolState: the resources of a pool, and which of them are created, checked and closed next.

/// A pure state machine: what a pool does next. It calls nothing.
///
///              ┌──────────── the operation has ended ───────────┐
///              ▼                                                │
///     idle ─────── an operation waits ─► checked ─► ready ─► lent to an operation
///       │  (without a check, it is ready immediately) │    ▲
///       │                                             │    └── created, if too few are checked and created
///       └─ not needed any more ─► closed ◄─ unhealthy ┘
///
/// The operations wait in the pool's line. They have no resources of their own before they start: the first one starts
/// with the first resource that is ready, wherever that comes from.
struct PoolState {
    /// What the caller has to do after it has released the lock.
    struct Action {
        /// To be created or checked.
        var begun: [PooledResource.Work] = []
        /// Creations and checks to be cancelled.
        var cancelled: [DisposeBag] = []
        var closing: [PooledResource] = []
        /// Promises that wait for all resources to be closed, which they are.
        var drained: [Promise<Void>] = []
        /// A timer has to bring the next tick.
        var startsTimer = false
        /// The errors of the first operations that wait: nothing can serve these.
        var failures: [any Error] = []
        /// To be released.
        var outdated: [any Error] = []
    }

    private let limit: Int
    /// Makes the place of a resource.
    private let make: () -> PooledResource
    private let isChecked: Bool
    private let reuses: Bool
    private let expires: Bool
    /// Idle resources that are checked before they are used. The one that was used last is the last one, here and below.
    private var idle: [PooledResource] = []
    /// Resources that operations may use, which may have started already.
    private var ready: [PooledResource] = []
    private var lentCount = 0
    private var creations: [PooledResource] = []
    private var checks: [PooledResource] = []
    /// The number of resources, with those that are being created or closed.
    private var count = 0
    /// Errors of creations, for operations that nothing else can serve.
    private var failures: [any Error] = []
    /// The steps that `takeNext` returns, as far as they are decided.
    private var next = Action()
    private var drained: [Promise<Void>] = []
    private var isClosed = false
    private var isTicking = false

    init(limit: Int, idleTimeout: Duration?, isChecked: Bool, make: @escaping () -> PooledResource) {
        self.limit = limit
        self.make = make
        reuses = idleTimeout.map { $0 > .zero } ?? true
        self.isChecked = isChecked && reuses
        expires = idleTimeout != nil && reuses
    }

    /// For how many operations there is a resource.
    var usableCount: Int { lentCount + ready.count }

    /// The number of resources that can be used again, while `running` operations have started.
    func idleCount(running: Int) -> Int { idle.count + min(ready.count, max(0, usableCount - running)) }

    /// Decides what to do next while `waiting` operations wait and `running` ones have started.
    ///
    /// - Parameters:
    ///   - creates: Whether resources may be created now.
    ///   - cancels: Whether creations and checks are cancelled that no operation waits for.
    mutating func takeNext(waiting: Int, running: Int, creates: Bool, cancels: Bool) -> Action {
        var (creates, waiting) = (creates, waiting)
        if isClosed { closeAll() }
        if !failures.isEmpty, waiting == 0 || hasNone {
            next.failures = Array(failures.prefix(waiting))
            waiting -= next.failures.count
            forgetFailures()
            creates = true
        }
        withdraw(usableCount - running - waiting)
        // An operation has its turn for a moment after it has given back its resource.
        var missing = waiting - max(0, usableCount - running) - checks.count
        while missing > 0, let resource = idle.popLast() {
            checks.append(resource)
            next.begun.append(resource.beginning())
            missing -= 1
        }
        missing -= creations.count
        while creates, missing > 0, count < limit {
            count += 1
            creations.append(make())
            next.begun.append(creations.last!.beginning())
            missing -= 1
        }
        while cancels, missing < 0, let resource = takeUnneeded() {
            if let bag = resource.bag { next.cancelled.append(bag) }
            missing += 1
        }
        if isClosed, count == 0 { swap(&next.drained, &drained) }
        next.startsTimer = expires && !isTicking && !(idle.isEmpty && ready.isEmpty)
        if next.startsTimer { isTicking = true }
        defer { next = Action() }
        return next
    }

    /// Whether no resource is there or to come, except for those that are being closed.
    private var hasNone: Bool {
        lentCount == 0 && ready.isEmpty && idle.isEmpty && checks.isEmpty && creations.isEmpty
    }

    /// Takes back what has become ready for `spare` operations too many. A check is for the next use only.
    private mutating func withdraw(_ spare: Int) {
        guard spare > 0, isChecked || !reuses else { return }
        let count = min(spare, ready.count)
        if reuses { idle += ready.suffix(count) } else { next.closing += ready.suffix(count) }
        ready.removeLast(count)
    }

    /// Takes out what was begun last, first a creation: a check that is cancelled costs a resource.
    private mutating func takeUnneeded() -> PooledResource? {
        creations.lastIndex { $0.created == nil }.map { creations.remove(at: $0) } ?? checks.popLast()
    }

    private mutating func closeAll() {
        next.closing += ready + idle
        next.cancelled += (creations + checks).compactMap(\.bag)
        (ready, idle, creations, checks) = ([], [], [], [])
    }

    private mutating func forgetFailures() {
        next.outdated += failures
        failures = []
    }
}

// Each change returns whether resources may be created now. None is after a creation that has failed: otherwise it would
// be repeated as long as operations wait for other resources.
extension PoolState {
    /// Gives the resource that was used last to an operation that has started.
    mutating func lend() -> PooledResource {
        lentCount += 1
        return ready.removeLast()
    }

    mutating func takeBack(_ resource: PooledResource) -> Bool {
        lentCount -= 1
        resource.isOld = false
        if resource.isSpoilt || !reuses {
            next.closing.append(resource)
        } else {
            forgetFailures()
            if isChecked { idle.append(resource) } else { ready.append(resource) }
        }
        return false
    }

    /// Takes the places of the resources that the pool lacks to have `wanted`, or as many as it may have.
    mutating func prewarm(upTo wanted: Int) -> [PooledResource.Work] {
        let resources = (0..<max(0, min(wanted, limit) - count)).map { _ in make() }
        for resource in resources { resource.created = Promise() }
        count += resources.count
        creations += resources
        return resources.map { $0.beginning() }
    }

    /// A creation has made a resource. One that comes after the end of its creation is closed.
    mutating func complete(_ resource: PooledResource) -> Bool {
        guard !resource.wasCreated else {
            count += 1
            next.closing.append(resource)
            return false
        }
        resource.wasCreated = true
        creations.removeAll { $0 === resource }
        ready.append(resource)
        forgetFailures()
        return true
    }

    /// A creation has failed, unless it has made a resource.
    mutating func fail(_ resource: PooledResource, _ error: any Error) -> Bool {
        guard !resource.wasCreated else { return false }
        resource.wasCreated = true
        let isNeeded = creations.contains { $0 === resource }
        creations.removeAll { $0 === resource }
        count -= 1
        if isNeeded { failures.append(error) }
        return !isNeeded
    }

    /// A check of `resource` has completed.
    mutating func complete(checking resource: PooledResource, isHealthy: Bool) -> Bool {
        checks.removeAll { $0 === resource }
        if isHealthy {
            ready.append(resource)
            forgetFailures()
        } else {
            next.closing.append(resource)
        }
        return true
    }

    /// A resource was closed.
    mutating func hasClosed() -> Bool {
        count -= 1
        return true
    }

    /// Closes all resources, those that are being created included. `promise` succeeds when they are closed.
    mutating func close(telling promise: Promise<Void>) -> Bool {
        isClosed = true
        drained.append(promise)
        return false
    }

    /// Takes out the resources that have been idle since the last tick, to be closed.
    mutating func tick(running: Int) -> Bool {
        isTicking = false
        let list = isChecked ? \PoolState.idle : \.ready
        let old = self[keyPath: list].prefix(idleCount(running: running)).prefix { $0.isOld }
        next.closing += old
        self[keyPath: list].removeFirst(old.count)
        for resource in self[keyPath: list] { resource.isOld = true }
        return false
    }
}
