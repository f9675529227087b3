// Dependencies: what a pending node waits for.

internal import Synchronization

/// What a pending node waits for, read under its lock.
struct Dependency {
    /// The node that it listens to. Of a root that completes as another one: its listener to that one.
    var upstream: Node?
    /// Whether it waits for the future that its closure returned.
    var hasInner = false
    /// Whether it waits for its turn in a queue.
    var waitsForTurn = false
    /// Its scheduler, if it still needs that. A source that is pending is assumed to succeed.
    var neededScheduler: Scheduler?
    /// Whether this is `Future.never`, or waits for it.
    var isNever = false
    /// The nodes that a combination waits for (`awaited(in:)`), or the source of a step with a timer.
    var children: [Node]?
    /// Whether it needs all of those; otherwise it is one of them.
    var needsAll = false
    /// The number of children that can settle the combination.
    var count = 0
    /// The scheduler of the step's timer.
    var timer: Scheduler?

    /// The children that may still settle the combination. The other listeners were called or cancelled.
    var openChildren: [Node] { (children ?? []).filter { !($0.traits.contains(.listens) && $0.isSettled) } }
}

extension Node {
    /// What this node waits for. Returns nil if it has a result, published or only stored, or is a link.
    var dependency: Dependency? { withLock { _ in hasStoredResult ? nil : currentDependency } ?? nil }

    /// The same of a node that is pending, with the lock.
    private var currentDependency: Dependency {
        let (upstream, combination) = (upstream, combination)
        if traits.contains(.timed), let upstream {
            return Dependency(children: [upstream], timer: scheduler.takeUnretainedValue())
        }
        return Dependency(
            upstream: local as? Node ?? upstream, hasInner: inner != nil,
            waitsForTurn: traits.contains(.queued) && !hasBegun,
            neededScheduler: mayNeedScheduler(listeningTo: upstream) ? scheduler.takeUnretainedValue() : nil,
            isNever: (upstream ?? self).traits.contains(.never), children: combination.map(awaited),
            needsAll: combination?.needsAll ?? false, count: combination?.count ?? 0)
    }

    /// The nodes that this combination waits for: its listeners once it has started, before that its children. Requires
    /// the lock.
    private func awaited(in combination: Combination) -> [Node] {
        // While it starts, another thread may be writing `attached`.
        guard case .begun = progress else { return combination.children }
        return combination.awaited
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

extension Node {
    /// This node, the node that it waits for, and so on, while each waits for one other. At most 4,096 of them, as nodes
    /// may wait for each other in a cycle.
    var waits: some Sequence<(node: Node, dependency: Dependency)> {
        sequence(state: self as Node?) { next in
            while let node = next {
                let dependency = node.dependency
                // It may have become a link since.
                next = dependency?.upstream ?? (dependency == nil && node.isLink ? node.resolved : nil)
                if let dependency { return (node, dependency) }
            }
            return nil
        }.prefix(4096)
    }
}
