// PoolState: the resources of a pool, and which of them are created, checked and closed next.

/// A resource, as the state of its pool sees it. The lock of the pool's line guards what changes.
// Not generic, as everything that the state knows: otherwise a client's code asks the runtime for the types in each
// operation, which took 13,000 of 16,000 instructions.
class PooledResource: @unchecked Sendable {
    /// Whether it was idle at the last tick already.
    @exclusivity(unchecked) fileprivate var isOld = false
    /// Whether it has to be closed instead of being used again.
    @exclusivity(unchecked) var isSpoilt = false
}

/// A creation or a check in progress.
// Safe to share: the lock of the pool's line guards what changes.
final class PoolWork: @unchecked Sendable {
    /// The resource that is checked; nil in a creation.
    let resource: PooledResource?
    /// Of a creation in advance: completes with it.
    let created: Promise<Void>?
    /// Cancels it.
    let bag = DisposeBag()
    /// Whether a creation has given its resource to the pool, or has failed.
    @exclusivity(unchecked) fileprivate var isOver = false

    init(checking resource: PooledResource? = nil, telling created: Promise<Void>? = nil) {
        self.resource = resource
        self.created = created
    }
}

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
        var begun: [PoolWork] = []
        var cancelled: [PoolWork] = []
        var closing: [PooledResource] = []
        /// Promises that wait for all resources to be closed, which they are.
        var drained: [Promise<Void>] = []
        /// A timer has to bring the next tick.
        var startsTimer = false
        /// To be released.
        var errors: [any Error] = []
    }

    private let limit: Int
    private let isChecked: Bool
    private let reuses: Bool
    private let expires: Bool
    /// Idle resources that are checked before they are used. The one that was used last is the last one, here and below.
    private var idle: [PooledResource] = []
    /// Resources that operations may use, which may have started already.
    private var ready: [PooledResource] = []
    private var lentCount = 0
    private var creations: [PoolWork] = []
    private var checks: [PoolWork] = []
    /// The number of resources, with those that are being created or closed.
    private var count = 0
    /// Errors of creations, for operations that nothing else can serve.
    private var failures: [any Error] = []
    /// Errors of creations that operations get instead of a resource.
    private var readyErrors: [any Error] = []
    private var closing: [PooledResource] = []
    private var outdated: [any Error] = []
    private var drained: [Promise<Void>] = []
    private var isClosed = false
    private var isTicking = false

    init(limit: Int, isChecked: Bool, idleTimeout: Duration?) {
        self.limit = limit
        reuses = idleTimeout.map { $0 > .zero } ?? true
        self.isChecked = isChecked && reuses
        expires = idleTimeout != nil && reuses
    }

    /// For how many operations there is a resource or an error.
    var usableCount: Int { lentCount + ready.count + readyErrors.count }

    /// The number of resources that can be used again, while `running` operations have started.
    func idleCount(running: Int) -> Int { idle.count + min(ready.count, max(0, usableCount - running)) }

    /// Decides what to do next while `waiting` operations wait and `running` ones have started.
    ///
    /// - Parameters:
    ///   - creates: Whether resources may be created now.
    ///   - cancels: Whether creations and checks are cancelled that no operation waits for.
    mutating func next(waiting: Int, running: Int, creates: Bool, cancels: Bool) -> Action {
        var action = Action()
        var creates = creates
        if isClosed { closeAll(&action) }
        if !failures.isEmpty, waiting == 0 || hasNone {
            readyErrors += failures.prefix(waiting)
            forgetFailures()
            creates = true
        }
        withdraw(usableCount - running - waiting)
        // An operation has its turn for a moment after it has given back its resource.
        var missing = waiting - max(0, usableCount - running) - checks.count
        while missing > 0, let resource = idle.popLast() {
            checks.append(PoolWork(checking: resource))
            action.begun.append(checks.last!)
            missing -= 1
        }
        missing -= creations.count
        while creates, missing > 0, count < limit {
            count += 1
            creations.append(PoolWork())
            action.begun.append(creations.last!)
            missing -= 1
        }
        while cancels, missing < 0, let work = takeUnneeded() {
            action.cancelled.append(work)
            missing += 1
        }
        swap(&action.closing, &closing)
        swap(&action.errors, &outdated)
        if isClosed, count == 0 { swap(&action.drained, &drained) }
        action.startsTimer = expires && !isTicking && !(idle.isEmpty && ready.isEmpty)
        if action.startsTimer { isTicking = true }
        return action
    }

    /// Whether no resource is there or to come, except for those that are being closed.
    private var hasNone: Bool {
        lentCount == 0 && ready.isEmpty && idle.isEmpty && checks.isEmpty && creations.isEmpty
    }

    /// Takes back what has become ready for `spare` operations too many. A check is for the next use only.
    private mutating func withdraw(_ spare: Int) {
        guard spare > 0, isChecked || !reuses || !readyErrors.isEmpty else { return }
        let errorCount = min(spare, readyErrors.count)
        outdated += readyErrors.suffix(errorCount)
        readyErrors.removeLast(errorCount)
        guard isChecked || !reuses else { return }
        let count = min(spare - errorCount, ready.count)
        if reuses { idle += ready.suffix(count) } else { closing += ready.suffix(count) }
        ready.removeLast(count)
    }

    /// Takes out what was begun last, first a creation: a check that is cancelled costs a resource.
    private mutating func takeUnneeded() -> PoolWork? {
        creations.lastIndex { $0.created == nil }.map { creations.remove(at: $0) } ?? checks.popLast()
    }

    private mutating func closeAll(_ action: inout Action) {
        closing += ready + idle
        action.cancelled += creations + checks
        (ready, idle, creations, checks) = ([], [], [], [])
    }

    private mutating func forgetFailures() {
        outdated += failures
        failures = []
    }
}

// Each change returns whether resources may be created now. None is after a creation that has failed: otherwise it would
// be repeated as long as operations wait for other resources.
extension PoolState {
    /// Gives the resource that was used last, or an error, to an operation that has started.
    mutating func lend() -> Result<PooledResource, any Error> {
        guard let resource = ready.popLast() else { return .failure(readyErrors.removeFirst()) }
        lentCount += 1
        return .success(resource)
    }

    mutating func takeBack(_ resource: PooledResource) -> Bool {
        lentCount -= 1
        resource.isOld = false
        if resource.isSpoilt || !reuses {
            closing.append(resource)
        } else {
            forgetFailures()
            if isChecked { idle.append(resource) } else { ready.append(resource) }
        }
        return false
    }

    /// Takes the places of the resources that the pool lacks to have `wanted`, or as many as it may have.
    mutating func prewarm(upTo wanted: Int) -> [PoolWork] {
        let works = (0..<max(0, min(wanted, limit) - count)).map { _ in PoolWork(telling: Promise()) }
        count += works.count
        creations += works
        return works
    }

    /// A creation has made a resource: before its end, so that a cancel or the time limit loses none that is there. One
    /// that comes after that is closed.
    mutating func complete(_ work: PoolWork, _ resource: PooledResource) -> Bool {
        guard !work.isOver else {
            count += 1
            closing.append(resource)
            return false
        }
        work.isOver = true
        _ = Self.remove(work, from: &creations)
        ready.append(resource)
        forgetFailures()
        return true
    }

    /// A creation has failed, unless it has made a resource.
    mutating func fail(_ work: PoolWork, _ error: any Error) -> Bool {
        guard !work.isOver else { return false }
        work.isOver = true
        let isNeeded = Self.remove(work, from: &creations)
        count -= 1
        if isNeeded { failures.append(error) }
        return !isNeeded
    }

    /// A check of `resource` has completed.
    mutating func complete(_ work: PoolWork, checking resource: PooledResource, isHealthy: Bool) -> Bool {
        _ = Self.remove(work, from: &checks)
        if isHealthy {
            ready.append(resource)
            forgetFailures()
        } else {
            closing.append(resource)
        }
        return true
    }

    private static func remove(_ work: PoolWork, from works: inout [PoolWork]) -> Bool {
        guard let index = works.firstIndex(where: { $0 === work }) else { return false }
        works.remove(at: index)
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
        let idleCount = idleCount(running: running)
        if isChecked { expire(in: \.idle, idleCount) } else { expire(in: \.ready, idleCount) }
        return false
    }

    private mutating func expire(in list: WritableKeyPath<PoolState, [PooledResource]>, _ maxCount: Int) {
        let count = self[keyPath: list].prefix(maxCount).prefix { $0.isOld }.count
        closing += self[keyPath: list].prefix(count)
        self[keyPath: list].removeFirst(count)
        for resource in self[keyPath: list] { resource.isOld = true }
    }
}
