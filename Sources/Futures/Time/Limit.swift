// Limit: how long a result may take, and what happens when it takes longer.

/// A time limit for a result.
@usableFromInline
enum Limit: Sendable {
    /// A duration, measured anew for each run.
    case after(Duration)
    /// A deadline, the same for all runs: the time between `reference` and it, and what was left where it was set.
    // No instant, whose layout is known at run time only: each copy of this would call functions of the runtime.
    case until(Duration, left: Duration)

    private static let reference = ContinuousClock.now

    /// A deadline, the same for all runs, by the clock of `scheduler`.
    @usableFromInline
    static func at(_ deadline: ContinuousClock.Instant, on scheduler: Scheduler) -> Limit {
        // A difference beyond the range of durations would trap.
        .until(reference.duration(to: max(deadline, reference - .longest)), left: scheduler.time(until: deadline))
    }

    func remaining(on scheduler: Scheduler) -> Duration {
        switch self {
        case .after(let duration): duration
        case .until(let time, _): scheduler.time(until: Self.reference + time)
        }
    }

    /// The time that the error names.
    var duration: Duration {
        switch self {
        case .after(let duration), .until(_, let duration): max(duration, .zero)
        }
    }
}

extension Future {
    /// Returns a future with the same result, unless the limit passes first: then `expire` completes it, on
    /// `scheduler`; by default, with the error of a time limit.
    ///
    /// `expire` receives the time that there was when the limit was set (at least zero), and where that was.
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
        accompanied(source, .limited, on: scheduler.forLimits) { node, event in
            if event == .expired {
                if !node.hasSettled { Recording.recorderIfOn?.timedOut() }
                return expire(node, limit.duration, origin)
            }
            // This closure captures one object and nothing else, so it needs no object of its own.
            let timer = scheduler.limit(after: limit.remaining(on: scheduler)) {
                node.operation(node, .expired)
            }
            node.keepFromNowOn(Kept(timer))
        }
    }
}
