// Limit: how long a result may take, and what happens when it takes longer.

/// How long a result may take.
@usableFromInline
enum Limit: Sendable {
    /// So long, for each run anew.
    case after(Duration)
    /// Until then, whichever run it is.
    case at(ContinuousClock.Instant)

    func remaining(on scheduler: Scheduler) -> Duration {
        switch self {
        case .after(let duration): duration
        case .at(let deadline): scheduler.time(until: deadline)
        }
    }
}

extension Future {
    /// A future with the same result, unless `expire` completes it first, when its time is over, on `scheduler`. It is
    /// told how long that was, and where the limit was set.
    @inlinable
    func limited(
        _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.Origin = .init(),
        expire: @escaping Node.Expiry
    ) -> Future {
        Future(
            node: .limited(node, limit, on: scheduler, origin, expire: expire) { node, source in
                node.complete(source.settledResult(as: Value.self))
            })
    }
}

extension Node {
    /// What completes a node whose time is over.
    // It is told where the limit was set, and so captures nothing.
    @usableFromInline typealias Expiry = @Sendable (Node, Duration, FutureError.Origin) -> Void

    @usableFromInline
    static func limited(
        _ source: Node, _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.Origin,
        expire: @escaping Expiry, pass: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        // The timer counts as a child: there is something to wait for, though the source may never complete.
        combined([source], counting: 2, needing: .oneOfThemOrTimer(scheduler)) { node, children in
            let source = children[0].resolved
            guard !source.isSettled else {
                node.readChildren { pass(node, source) }
                return NilDisposer()
            }
            let remaining = limit.remaining(on: scheduler)
            let timer = scheduler.async(after: remaining) { expire(node, max(remaining, .zero), origin) }
            let listener = Node.listener(to: source, for: node) { arrival in
                if let node = arrival.parent { pass(node, arrival.child) }
            }
            return Leaving([listener], stopping: timer)
        }
    }
}
