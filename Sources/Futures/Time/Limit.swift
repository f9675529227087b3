// Limit: how long a result may take, and what happens when it takes longer.

/// A time limit for a result.
@usableFromInline
enum Limit: Sendable {
    /// A duration, measured anew for each run.
    case after(Duration)
    /// A deadline, the same for all runs: the time between `reference` and it.
    // No instant, whose layout is known at run time only: each copy of this would call functions of the runtime.
    case until(Duration)

    private static let reference = ContinuousClock.now

    /// A deadline, the same for all runs.
    @usableFromInline
    static func at(_ deadline: ContinuousClock.Instant) -> Limit {
        // A difference beyond the range of durations would trap.
        .until(reference.duration(to: max(deadline, reference - .longest)))
    }

    func remaining(on scheduler: Scheduler) -> Duration {
        switch self {
        case .after(let duration): duration
        case .until(let time): scheduler.time(until: Self.reference + time)
        }
    }
}

extension Future {
    /// Returns a future with the same result, unless the limit passes first: then `expire` completes it, on
    /// `scheduler`; by default, with the error of a time limit.
    ///
    /// `expire` receives the time that was left when the timer started (at least zero), and where the limit was set.
    @inlinable
    func limited(
        _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.SourceLocation = .init(),
        expire: @escaping Node.Expiry = { $0.giveUp(FutureError.timedOut(after: $1, origin: $2)) }
    ) -> Future {
        Future(node: .limited(node, limit, on: scheduler, origin, expire: expire))
    }
}

extension Node {
    /// Completes a node whose limit has passed.
    // It receives the source location as an argument, and so captures nothing.
    @usableFromInline typealias Expiry = @Sendable (Node, Duration, FutureError.SourceLocation) -> Void

    /// A step that passes the result on, and starts the timer when it was attached.
    @usableFromInline
    static func limited(
        _ source: Node, _ limit: Limit, on scheduler: Scheduler, _ origin: FutureError.SourceLocation,
        expire: @escaping Expiry
    ) -> Node {
        accompanied(source, .limited, on: scheduler.forLimits) { node in
            let remaining = limit.remaining(on: scheduler)
            let timer = scheduler.limit(after: remaining, isOrdered: false) {
                if !node.hasSettled { Recording.recorderIfOn?.timedOut() }
                expire(node, max(remaining, .zero), origin)
            }
            node.keepFromNowOn(timer.asObject)
        }
    }
}
