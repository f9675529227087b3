// Dependencies: what a pending node waits for.

internal import Synchronization

/// What a pending node waits for, read under its lock. A scheduler is one that it still needs: a source that is pending
/// is assumed to succeed.
package enum Dependency: Sendable {
    /// Nothing: this is `Future.never`.
    case never
    /// Its turn in a queue.
    case turn(Scheduler?)
    /// Those of `of` nodes that may still settle a combination: all of them, or one of them.
    case children([Node], of: Int, needsAll: Bool)
    /// Its source, unless a timer on this scheduler ends it before; signals, if that is `Scheduler.inPlace`.
    case limited(Node, Scheduler)
    /// The node that it listens to. Of a root that completes as another one: its listener to that one. `isInner`: whether
    /// its closure returned the future.
    case upstream(Node, Scheduler?, isInner: Bool)
    /// Its scheduler, or code that completes it.
    case completion(Scheduler?)
}

extension Node {
    /// Whether this node is pending, and its operation has returned.
    package var hasBegun: Bool { withLock { _ in progress == .begun } ?? false }

    /// What this node waits for. Returns nil if it has a result, published or only stored, or is a link.
    package var dependency: Dependency? { withLock { _ in progress.isStored ? nil : currentDependency } ?? nil }

    /// The same of a node that is pending, with the lock.
    private var currentDependency: Dependency {
        if traits.contains(.never) { return .never }
        if let combination {
            // While it starts, another thread may be writing its listeners. Those that have settled were called or
            // cancelled.
            let nodes = progress == .begun ? combination.awaited : combination.children
            let open = nodes.filter { !($0.traits.contains(.listens) && $0.isSettled) }
            return .children(open.map(\.resolved), of: nodes.count, needsAll: combination.needsAll)
        }
        let upstream = upstream ?? local?.object as? Node
        let scheduler = scheduler.takeUnretainedValue()
        if traits.contains(.limited), let upstream { return .limited(upstream, scheduler) }
        let needed = mayNeedScheduler(listeningTo: upstream) ? scheduler : nil
        if traits.contains(.queued), progress == .waiting { return .turn(needed) }
        return upstream.map { .upstream($0, needed, isInner: inner != nil) } ?? .completion(needed)
    }

    // A step that wants only errors does not need its scheduler, because it passes a value on without a hop.
    private func mayNeedScheduler(listeningTo upstream: Node?) -> Bool {
        if inner != nil { return false }
        if traits.contains(.later) { return true }
        if traits.contains(.begins) { return progress == .waiting }
        guard let upstream else { return traits.contains(.queued) }
        return upstream.isSettled ? wants(.passUnretained(upstream)) : traits.contains(.values)
    }
}
