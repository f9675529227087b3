// Limit: how long a result may take, and what happens when it takes longer.

/// A time limit for a result.
@usableFromInline
enum Limit: Sendable {
    /// A duration, measured anew for each run.
    case after(Duration)
    /// A deadline, the same for all runs.
    case at(ContinuousClock.Instant)

    func remaining(on scheduler: Scheduler) -> Duration {
        switch self {
        case .after(let duration): duration
        case .at(let deadline): scheduler.time(until: deadline)
        }
    }
}

extension Future {
    /// Returns a future with the same result, unless the limit passes first: then `expire` completes it, on
    /// `scheduler`.
    ///
    /// `expire` receives the time that was left when the timer started (at least zero), and where the limit was set.
    @inlinable
    func limited(
        _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.SourceLocation = .init(),
        expire: @escaping Node.Expiry
    ) -> Future {
        Future(node: .limited(node, limit, on: scheduler, origin, expire: expire))
    }
}

extension Node {
    /// Completes a node whose limit has passed.
    // It receives the source location as an argument, and so captures nothing.
    @usableFromInline typealias Expiry = @Sendable (Node, Duration, FutureError.SourceLocation) -> Void

    @usableFromInline
    static func limited(
        _ source: Node, _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.SourceLocation,
        expire: @escaping Expiry
    ) -> Node {
        // The timer counts as a child: it can complete the node even if the source never completes.
        combined([source], counting: 2, needing: .oneOfThemOrTimer(scheduler)) { node, children in
            let source = children[0]
            guard !source.hasSettled else {
                node.settleFromOutside(as: source)
                return nil
            }
            let remaining = limit.remaining(on: scheduler)
            let timer = scheduler.async(after: remaining) { expire(node, max(remaining, .zero), origin) }
            let listener = Node.listener(to: source, for: node, handler: completingParent)
            return DetachListeners([listener], stopping: timer)
        }
    }
}
