// Waits: what a pending node waits for, as FuturesDiagnostics sees it.

extension Inspected {
    /// What a pending node waits for.
    package enum Wait: Sendable {
        /// The pending ones of `of` nodes: all of them, or one of them. A timer on this scheduler may end the wait.
        case nodes([Inspected], of: Int, needsAll: Bool, timer: Scheduler?)
        /// Its turn in a queue or, if it has that, its scheduler.
        case turn(Scheduler?)
        /// A scheduler that has yet to run it; if `isLater`, a timer or task on it.
        case scheduler(Scheduler, isLater: Bool)
        /// Code that completes it: what its operation has started, or the owner of a promise.
        case completion
        /// Nothing: it waits for `Future.never`.
        case never
    }

    /// What the node waits for; nil if it has a result. Takes the locks of the node and of its children, one at a time.
    package var wait: Wait? {
        guard let dependency = node.dependency else { return node.isLink ? Inspected(node.target).wait : nil }
        if dependency.waitsForTurn { return .turn(dependency.neededScheduler) }
        if dependency.isNever { return .never }
        if let children = dependency.children {
            let nodes = dependency.openChildren.map { Inspected($0.listenedTo) }
            return .nodes(nodes, of: children.count, needsAll: dependency.needsAll, timer: dependency.timer)
        }
        if let upstream = dependency.upstream?.listenedTo, !upstream.hasSettled {
            return .nodes([Inspected(upstream)], of: 1, needsAll: true, timer: nil)
        }
        return dependency.neededScheduler.map { .scheduler($0, isLater: node.traits.contains(.later)) } ?? .completion
    }
}

extension Node {
    /// The future that this node listens to, if it is one of the library's listeners; otherwise this node.
    fileprivate var listenedTo: Node {
        guard traits.contains(.listens), let upstream = withLock({ _ in upstream }) else { return resolved }
        return upstream ?? self
    }
}
