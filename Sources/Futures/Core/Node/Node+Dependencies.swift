// Dependencies: what a pending node waits for.

internal import Synchronization

/// What a pending node waits for, read under its lock.
struct Dependency {
    /// The node that it listens to. Of a root that completes as another one: its listener to that one.
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

    /// The listener to the node that settles this one, if this is a root that completes as another one
    /// (`withoutHistory`). Requires the lock.
    private var onlyChild: Node? { (local as? DetachListeners)?.listeners.first }

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
