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
        /// Whether the pool and all its resources are closed.
        var isDrained = false
        /// When a timer has to bring the next tick.
        var tickDelay: Duration?
        /// The error of the first operation that waits: nothing can serve it.
        var failure: (any Error)?
    }

    private(set) var limits: PoolLimits
    /// Makes the place of a resource.
    private let make: () -> PooledResource
    private let isChecked: Bool
    /// The time since `LineState.reference`, if resources expire.
    var now = Duration.zero
    /// Idle resources that are checked before they are used. The one that was used last is the last one, here and below.
    private var idle: [PooledResource] = []
    /// Resources that operations may use, which may have started already.
    private var ready: [PooledResource] = []
    private var lentCount = 0
    private var creations: [PooledResource] = []
    private var checks: [PooledResource] = []
    /// All that are there and are not closed: idle, checked, ready or lent.
    private(set) var resources: [PooledResource] = []
    /// The number of resources, with those that are being created or closed.
    private var count = 0
    /// The error of the creation that has just failed.
    private var failure: (any Error)?
    /// The steps that `takeNext` returns, as far as they are decided.
    private var next = Action()
    private var isClosed = false
    private var isTicking = false
    /// Whether there may be resources to be closed that `closeUnneeded` has yet to find.
    private var mayBeOver = false

    init(_ limits: PoolLimits, isChecked: Bool, make: @escaping () -> PooledResource) {
        self.limits = limits
        self.make = make
        self.isChecked = isChecked && limits.keepsIdle
    }

    /// For how many operations there is a resource.
    var usableCount: Int { lentCount + ready.count }

    /// The number of resources that can be used again, while `running` operations have started.
    func idleCount(running: Int) -> Int { idle.count + min(ready.count, max(0, usableCount - running)) }

    /// Decides what to do next for the operations of `line`.
    ///
    /// - Parameters:
    ///   - creates: Whether resources may be created now.
    ///   - cancels: Whether creations and checks are cancelled that no operation waits for.
    mutating func takeNext(_ line: inout LineState, creates: Bool, cancels: Bool) -> Action {
        let (running, waiting) = (line.runningCount, line.waitingCount)
        if isClosed { closeAll() }
        if mayBeOver { closeUnneeded(running: running) }
        // The operation that fails leaves the line, which leads to the creation for the next one.
        if let error = failure.take(), waiting > 0, hasNone { next.failure = error }
        withdraw(usableCount - running - waiting)
        // An operation has its turn for a moment after it has given back its resource.
        var missing = waiting - max(0, usableCount - running) - checks.count
        while missing > 0, let resource = idle.popLast() {
            checks.append(resource)
            next.begun.append(resource.work())
            missing -= 1
        }
        if creates, limits.keepsIdle, line.closedError == nil { missing += max(0, limits.minIdleCount - idle.count) }
        missing -= creations.count
        while creates, missing > 0, count < limits.maxCount {
            count += 1
            creations.append(make())
            next.begun.append(creations.last!.work())
            missing -= 1
        }
        // What was begun last, first a creation: a check that is cancelled costs a resource.
        while cancels, missing < 0, let resource = creations.popLast() ?? checks.popLast() {
            if let bag = resource.bag { next.cancelled.append(bag) }
            missing += 1
        }
        next.isDrained = isClosed && count == 0
        if !isTicking, limits.expires, !isClosed, limits.minIdleCount > 0 || !(idle.isEmpty && ready.isEmpty) {
            isTicking = true
            next.tickDelay = tickDelay
        }
        return exchange(&next, with: Action())
    }

    /// Whether no resource is there or to come, except for those that are being closed.
    private var hasNone: Bool {
        lentCount == 0 && ready.isEmpty && idle.isEmpty && checks.isEmpty && creations.isEmpty
    }

    /// Takes back what has become ready for `spare` operations too many. A check is for the next use only.
    private mutating func withdraw(_ spare: Int) {
        guard spare > 0, isChecked || !limits.keepsIdle else { return }
        for resource in ready.suffix(spare) {
            if limits.keepsIdle { idle.append(resource) } else { close(resource) }
        }
        ready.removeLast(min(spare, ready.count))
    }

    private mutating func close(_ resource: PooledResource) {
        resources.removeAll { $0 === resource }
        next.closing.append(resource)
    }

    private mutating func closeAll() {
        for resource in ready + idle { close(resource) }
        next.cancelled += (creations + checks).compactMap(\.bag)
        (ready, idle, creations, checks) = ([], [], [], [])
    }

    /// Closes resources that are over, or idle for too long. One that an operation that has its turn needs stays until
    /// another one can serve that operation.
    private mutating func closeUnneeded(running: Int) {
        mayBeOver = false
        var kept = idleCount(running: running)
        for resource in idle + ready {
            let isExpired = kept > limits.minIdleCount && now - resource.usedAt >= limits.idleTimeout ?? .longest
            guard isExpired || isOver(resource) else { continue }
            if usableCount <= running, ready.contains(where: { $0 === resource }) { return mayBeOver = true }
            idle.removeAll { $0 === resource }
            ready.removeAll { $0 === resource }
            kept -= 1
            close(resource)
        }
    }

    /// Whether a resource is closed instead of being used again.
    private func isOver(_ resource: PooledResource) -> Bool {
        resource.isSpoilt || resources.count > limits.maxCount || resource.useCount >= limits.maxUseCount
            || limits.maxAge.map { now - resource.createdAt >= $0 } ?? false
    }

    /// The time until a resource is too old, or until one may have been idle for too long.
    private var tickDelay: Duration {
        let age = limits.maxAge ?? .longest
        let ages = resources.lazy.map { [now] in $0.createdAt.delayed(by: age) - now }.filter { $0 > .zero }
        return max(.milliseconds(1), min(limits.idleTimeout ?? age, ages.min() ?? age))
    }
}

/// How many resources a pool keeps, and for how long.
struct PoolLimits {
    var maxCount = 0
    var minIdleCount = 0
    var idleTimeout: Duration?
    var maxAge: Duration?
    var maxUseCount = Int.max

    /// Whether resources that no operation uses are kept.
    var keepsIdle: Bool { idleTimeout ?? .longest > .zero }
    /// Whether resources are closed as time passes.
    var expires: Bool { keepsIdle && (idleTimeout != nil || maxAge != nil) }
}

// Each change returns whether resources may be created now. None is after a creation that has failed: otherwise it would
// be repeated as long as operations wait for other resources.
extension PoolState {
    /// Gives the resource that was used last to an operation that has started: one that is not over, if there is one.
    mutating func lend() -> PooledResource {
        lentCount += 1
        return ready.remove(at: ready.lastIndex { !isOver($0) } ?? ready.count - 1)
    }

    mutating func takeBack(_ resource: PooledResource) -> Bool {
        lentCount -= 1
        resource.useCount += 1
        resource.usedAt = now
        if isOver(resource) || !limits.keepsIdle {
            close(resource)
        } else if isChecked {
            idle.append(resource)
        } else {
            ready.append(resource)
        }
        return false
    }

    /// A creation has made a resource, which is closed if it comes after the end of the pool or is one too many; or a
    /// check of one has completed.
    mutating func complete(_ resource: PooledResource, _ result: Result<Bool, any Error>) -> Bool {
        let isUsable: Bool
        if resource.wasCreated {
            checks.removeAll { $0 === resource }
            isUsable = ((try? result.get()) ?? false) && !isOver(resource)
        } else {
            resource.wasCreated = true
            (resource.createdAt, resource.usedAt) = (now, now)
            resources.append(resource)
            isUsable = endCreation(resource) && resources.count <= limits.maxCount
        }
        if isUsable { ready.append(resource) } else { close(resource) }
        return true
    }

    /// A creation has failed.
    mutating func fail(_ resource: PooledResource, _ result: Result<Bool, any Error>) -> Bool {
        count -= 1
        let isNeeded = endCreation(resource)
        if isNeeded { failure = result.failure }
        return !isNeeded
    }

    /// Returns whether the pool has not cancelled the creation.
    private mutating func endCreation(_ resource: PooledResource) -> Bool {
        let index = creations.firstIndex { $0 === resource }
        if let index { creations.remove(at: index) }
        return index != nil
    }

    /// A resource was closed.
    mutating func hasClosed() -> Bool {
        count -= 1
        return true
    }

    /// Closes all resources, those that are being created included.
    mutating func close() -> Bool {
        isClosed = true
        return false
    }

    mutating func resize(to maxCount: Int) -> Bool {
        limits.maxCount = maxCount
        mayBeOver = true
        return true
    }

    mutating func tick() -> Bool {
        (isTicking, mayBeOver) = (false, true)
        return true
    }

    mutating func discard(_ unwanted: [PooledResource]) -> Bool {
        for resource in unwanted { resource.isSpoilt = true }
        mayBeOver = true
        return true
    }
}
