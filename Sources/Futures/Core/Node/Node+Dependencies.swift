// Dependencies: what a pending node waits for, and which nodes wait for it. All searches for deadlocks use them.

internal import Synchronization

/// What a pending node waits for, read under its lock.
struct Dependency {
    /// The node that it listens to. Of a node that only one child can settle (`onlyChild`): its listener to that child.
    let upstream: Node?
    /// Whether it waits for the future that its closure returned.
    let hasInner: Bool
    /// Whether it waits for its turn in a queue.
    let waitsForTurn: Bool
    /// Its scheduler, if it still needs that. A source that is pending is assumed to succeed.
    let neededScheduler: Scheduler?
    /// Where its operation is disposed, before its result is published (`Disposer(on:)`).
    let disposalScheduler: Scheduler?
    /// Whether this is `Future.never`, or waits for it.
    let isNever: Bool
    /// If the node is a combination, or a step with a timer: the events that it needs.
    let needs: Combination.Needs?
    /// The nodes that the combination waits for (`Node.awaited`), or the step's source.
    let children: [Node]
    /// The number of children that can settle the combination.
    let count: Int

    /// The nodes that may still settle the combination. The other listeners were called or cancelled.
    var openChildren: [Node] { children.filter { !($0.traits.contains(.listens) && $0.isSettled) } }
}

extension Node {
    /// What this node waits for. Returns nil if it has a result, or is a link; also if the result is not published yet,
    /// unless that waits for a scheduler.
    var dependency: Dependency? {
        guard let listeners = lock() else { return nil }
        defer { unlock(listeners) }
        if hasStoredResult, disposalScheduler == nil { return nil }
        let (upstream, combination) = (upstream, combination)
        if traits.contains(.timed), let upstream { return timed(by: upstream) }
        return Dependency(
            upstream: onlyChild ?? upstream, hasInner: inner != nil, waitsForTurn: waitsForTurn,
            neededScheduler: mayNeedScheduler(listeningTo: upstream)
                ? scheduler.takeUnretainedValue() : hasStoredResult ? disposalScheduler : nil,
            disposalScheduler: disposalScheduler,
            isNever: (upstream ?? self).traits.contains(.never), needs: combination?.needs, children: awaited,
            count: combination?.count ?? 0)
    }

    /// What a step with a timer waits for.
    private func timed(by source: Node) -> Dependency {
        Dependency(
            upstream: nil, hasInner: false, waitsForTurn: false, neededScheduler: nil, disposalScheduler: nil,
            isNever: false,
            needs: .oneOfThemOrTimer(scheduler.takeUnretainedValue()), children: [source], count: 2)
    }

    /// The listener to the only node that can settle this one, if this is a combination of one node, or a root that
    /// completes as another one (`withoutHistory`). Requires the lock.
    fileprivate var onlyChild: Node? {
        guard let combination else { return (local as? DetachListeners)?.listeners.first }
        guard combination.count == 1, combination.children.count == 1 else { return nil }
        return switch combination.needs {
        case .allOfThem, .oneOfThem: awaited.first
        case .oneOfThemOrTimer: nil
        }
    }

    // A step that wants only errors does not need its scheduler, because it passes a value on without a hop.
    private func mayNeedScheduler(listeningTo upstream: Node?) -> Bool {
        if inner != nil { return false }
        if traits.contains(.later) { return true }
        if traits.contains(.begins) { return !hasBegun }
        guard let upstream else { return traits.contains(.queued) }
        return upstream.isSettled ? wants(.passUnretained(upstream)) : traits.contains(.values)
    }
}

/// A walk upstream: from a node to the node that it waits for, and so on, while each node waits for one other.
struct UpstreamWalk: IteratorProtocol {
    private var current: Node?
    // Futures that wait for each other in a cycle would make the walk endless. It stops when it comes back to a node
    // (Brent's algorithm).
    private var seen: Node?
    private var steps = 0
    private var limit = 1

    init(from node: Node) {
        current = node
        seen = node
    }

    /// Returns the next node and what it waits for. Returns nil if there is no next node, or if it has settled.
    mutating func next() -> (node: Node, dependency: Dependency)? {
        while let node = current {
            guard let dependency = node.dependency else {
                // It may have become a link since the walk came to it.
                current = node.isLink ? node.resolved : nil
                continue
            }
            current = dependency.upstream
            if current === seen { current = nil }
            steps += 1
            if steps == limit { (seen, limit) = (current, 2 * limit) }
            return (node, dependency)
        }
        return nil
    }
}

extension Node {
    /// What a search does at a node.
    enum Visit {
        /// Ends the search.
        case found
        /// Continues with the nodes that wait for this one, or skips those.
        case goOn, turnBack
    }

    /// Searches this node and the pending nodes downstream that wait for it, and returns whether `visit` has found one.
    /// Returns nil if the search takes more than about `steps` steps, which are counted down. `visit` is called under
    /// the node's lock, and is also told whether the node waits for its turn in a queue.
    func searchDownstream(_ steps: inout Int, _ visit: (_ node: Node, _ waitsForTurn: Bool) -> Visit) -> Bool? {
        // Most nodes have one listener. Those need no array.
        var next: Node? = self
        var others: [Node] = []
        while let node = next ?? others.popLast() {
            guard let listeners = node.lock() else {
                // A link has handed over its listeners.
                next = node.isLink ? node.resolved : nil
                continue
            }
            // Not past a combination of several nodes, which may settle without this one (it is reached from its
            // listener to a child); nor past a step with a timer.
            // Its result may be stored, though.
            let isBranch =
                (node.traits.contains(.combines) && node.onlyChild == nil || node.traits.contains(.timed))
                && !node.hasStoredResult
            let answer = isBranch ? .turnBack : visit(node, node.waitsForTurn)
            let goesOn = answer == .goOn
            next = goesOn ? listeners.only ?? node.parent?.takeUnretainedValue() : nil
            let several = goesOn && next == nil ? listeners.prefix(steps) : []
            node.unlock(listeners)
            if answer == .found { return true }
            steps -= next == nil ? several.count : 1
            if steps <= 0 { return nil }
            others += several
        }
        return false
    }
}

extension Node {
    /// Tells a queued node that waits for its turn about a new listener, so that its queue looks for a deadlock. Called
    /// when `listener` was attached to this node, which is that queued node, or waits for one at some distance
    /// (`Marks.behindQueue`).
    ///
    /// If `isWaiting`, this node is the inner node of `listener`, whose own listeners wait for the queued node only
    /// from now on. So the queued node is looked for upstream. Otherwise `listener` is a new node, and only this node
    /// is told.
    @inline(never)
    func tellQueue(of listener: Node, _ isWaiting: Bool, _ waitsForTurn: Bool) {
        guard isWaiting else {
            // Nothing listens to a step that is new. A listener to a child of a combination has a parent, to which
            // other code may listen.
            if listener.traits.contains(.listens) {
                listener.markBehindQueue()
            } else {
                _ = listener.mark(Marks.behindQueue)
            }
            if waitsForTurn { queued?.gainedListener() }
            return
        }
        listener.markBehindQueue()
        tellAwaitedTurn()
    }

    /// Marks this node, and the nodes downstream that wait for it. Each node is marked once, so all marks together take
    /// constant time for each node.
    private func markBehindQueue() {
        var steps = Int.max
        _ = searchDownstream(&steps) { node, _ in
            node.mark(Marks.behindQueue) ? .goOn : .turnBack
        }
    }

    /// Tells the queued node upstream that waits for its turn, if there is one, that a node has started to wait for it.
    func tellAwaitedTurn() {
        var walk = UpstreamWalk(from: self)
        for _ in 0..<Self.stepsToTurn {
            guard let (node, dependency) = walk.next() else { return }
            if dependency.waitsForTurn { return node.queued!.gainedListener() }
        }
    }

    /// The maximum number of nodes upstream among which a node that waits for its turn is looked for. So each wait
    /// takes at most that time to start, whatever the length of the chain.
    private static var stepsToTurn: Int { 64 }
}
