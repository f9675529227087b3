// PoolState: the resources that are idle, and those that are lent.

/// A resource, as the state of its pool sees it.
// Not generic, as everything that the state knows: otherwise a client's code asks the runtime for the types in each
// operation, which took 13,000 of 16,000 instructions. Safe to share: the pool's lock guards `isOld`.
class PooledResource: @unchecked Sendable {
    /// Its place in the pool's limit, from before its creation until it is closed.
    let place: Turn
    /// Whether it was idle at the last tick already.
    @exclusivity(unchecked) fileprivate var isOld = false

    init(in place: Turn) { self.place = place }
}

/// A request for a resource that has to wait.
// Safe to share: the pool's lock guards what changes. A list's first asker retains the next one, and so on.
class PoolAsker: @unchecked Sendable {
    /// The number of its first wait: one whose resource has failed its check waits again, ahead of those behind it.
    @exclusivity(unchecked) fileprivate var number = 0
    @exclusivity(unchecked) fileprivate var isWaiting = false
    @exclusivity(unchecked) fileprivate var next: PoolAsker?
    @exclusivity(unchecked) fileprivate weak var previous: PoolAsker?
}

/// A pure state machine: which resource the next operation gets, and which resources have expired. It calls nothing.
///
/// The line limits how many operations have a resource: only one with a turn asks for one. If none is idle, and no
/// other one may be created, it waits until one is given back or closed. So no resource is idle while an operation
/// waits.
struct PoolState {
    /// The answer to a request.
    enum Answer {
        case resource(PooledResource)
        /// A resource has to be created, in a place that is taken now.
        case creates
        case waits
    }

    /// What becomes of a resource that is given back.
    enum Destination {
        /// It is idle. A timer has to be started if `startsTimer`.
        case idle(startsTimer: Bool)
        case asker(PooledResource, PoolAsker)
    }

    private let limit: Int
    private var idle: [PooledResource] = []
    /// The number of resources, with those that are being created or closed.
    private var count = 0
    private var first: PoolAsker?
    private weak var last: PoolAsker?
    private var waits = 0
    private var drained: [Promise<Void>] = []
    private let expires: Bool
    private var isTicking = false

    init(limit: Int, expires: Bool) {
        self.limit = limit
        self.expires = expires
    }

    var idleCount: Int { idle.count }

    /// Takes out the resource that was used last; nil if there is none.
    mutating func take() -> PooledResource? { idle.popLast() }

    /// Answers a request. Unless another one is created, it gets the resource that was used last.
    mutating func ask(_ asker: PoolAsker) -> Answer {
        if let last = idle.popLast() { return .resource(last) }
        if count < limit {
            count += 1
            return .creates
        }
        insert(asker)
        return .waits
    }

    /// Takes a place for a resource without a request, unless the pool has `wanted` resources.
    mutating func takePlace(upTo wanted: Int) -> Bool {
        guard missingCount(of: wanted) > 0 else { return false }
        count += 1
        return true
    }

    func missingCount(of wanted: Int) -> Int { max(0, min(wanted, limit) - count) }

    /// Returns whether `asker` was waiting until now.
    mutating func stopWaiting(_ asker: PoolAsker) -> Bool {
        guard asker.isWaiting else { return false }
        remove(asker)
        return true
    }

    /// Lends the resource that was used last to an operation; nil if there is none.
    mutating func lend(to node: PoolNode) -> PooledResource? {
        node.lent = idle.popLast()
        return node.lent
    }

    /// Gives back what was lent to an operation, if anything was.
    mutating func takeBack(from node: PoolNode) -> Destination {
        node.lent.take().map { giveBack($0) } ?? .idle(startsTimer: false)
    }

    /// Hands a resource to the first operation that waits, or stores it for the next one.
    mutating func giveBack(_ resource: PooledResource) -> Destination {
        if let asker = first {
            remove(asker)
            return .asker(resource, asker)
        }
        resource.isOld = false
        idle.append(resource)
        defer { isTicking = isTicking || expires }
        return .idle(startsTimer: expires && !isTicking)
    }

    /// A resource was closed, or could not be created. Returns the first operation that waits, for which another one
    /// has to be created; otherwise what waited for all resources to be closed, if they are.
    mutating func hasClosed() -> (PoolAsker?, drained: [Promise<Void>]) {
        if let asker = first {
            remove(asker)
            return (asker, [])
        }
        count -= 1
        guard count == 0 else { return (nil, []) }
        defer { drained = [] }
        return (nil, drained)
    }

    /// Keeps `promise` until all resources are closed; returns false if they are.
    mutating func keep(_ promise: Promise<Void>) -> Bool {
        guard count > 0 else { return false }
        drained.append(promise)
        return true
    }

    /// Takes out the resources that have been idle since the last tick, to be closed. The timer has to be started again
    /// if others are idle.
    mutating func tick() -> (expired: [PooledResource], ticks: Bool) {
        // In an array of its own: one made of a slice may share the storage of `idle`, which others change under the
        // lock.
        let expired = idle.prefix { $0.isOld }.map { $0 }
        idle.removeFirst(expired.count)
        for resource in idle { resource.isOld = true }
        isTicking = !idle.isEmpty
        return (expired, isTicking)
    }

    /// Takes out all idle resources, to be closed. A timer has to be started when the next one is given back.
    mutating func takeAll() -> [PooledResource] {
        defer { (idle, isTicking) = ([], false) }
        return idle
    }

    /// Adds an asker behind those that have waited for longer. Mostly that is the end; if not, it is among the first.
    private mutating func insert(_ asker: PoolAsker) {
        if asker.number == 0 {
            waits += 1
            asker.number = waits
        }
        asker.isWaiting = true
        guard let last, last.number > asker.number else { return link(asker, behind: last) }
        var before: PoolAsker?
        var next = first
        while let here = next, here.number < asker.number { (before, next) = (here, here.next) }
        link(asker, behind: before)
    }

    private mutating func link(_ asker: PoolAsker, behind before: PoolAsker?) {
        asker.next = before == nil ? first : before?.next
        asker.previous = before
        if asker.next == nil { last = asker } else { asker.next?.previous = asker }
        if let before { before.next = asker } else { first = asker }
    }

    /// Removes an asker, which the caller retains.
    private mutating func remove(_ asker: PoolAsker) {
        let (before, next) = (asker.previous, asker.next.take())
        asker.isWaiting = false
        next?.previous = before
        if next == nil { last = before }
        if let before { before.next = next } else { first = next }
    }
}
