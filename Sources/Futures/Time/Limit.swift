// limited: how long a result may take, and what happens when it takes longer.

extension Future {
    /// Returns a future with the same result, unless `duration` passes first: then `expire` completes it, on
    /// `scheduler`; by default, with the error of a time limit.
    ///
    /// Each run has the whole duration, or all have the same `deadline`, by the clock of `scheduler`. `expire` receives
    /// the duration (at least zero), and where the limit was set.
    @inlinable
    func limited(
        after duration: Duration, until deadline: ContinuousClock.Instant? = nil, on scheduler: Scheduler,
        _ origin: FutureError.SourceLocation = .init(),
        expire: @escaping Node.Expiry = { $0.end(with: FutureError.timedOut(after: $1, origin: $2)) }
    ) -> Future {
        Future(node: .limited(node, after: duration, until: deadline, on: scheduler, origin, expire: expire))
    }
}

/// What deadlines are measured from.
// A step keeps no instant, whose layout is known at run time only: each copy would call functions of the runtime.
private let reference = ContinuousClock.now

extension Node {
    /// Completes a node whose limit has passed.
    // It receives the source location as an argument, and so captures nothing.
    @usableFromInline typealias Expiry = @Sendable (Node, Duration, FutureError.SourceLocation) -> Void

    /// A step that passes the result on, and starts the timer when it was attached.
    @usableFromInline
    static func limited(
        _ source: Node, after duration: Duration, until deadline: ContinuousClock.Instant?, on scheduler: Scheduler,
        _ origin: FutureError.SourceLocation, expire: @escaping Expiry
    ) -> Node {
        // A difference beyond the range of durations would trap.
        let end = deadline.map { reference.duration(to: max($0, reference - .longest)) }
        return accompanied(source, .limited, on: scheduler.forLimits) { node, event in
            if event == .expired {
                if !node.hasSettled { Recording.recorderIfOn?.timedOut() }
                return expire(node, max(duration, .zero), origin)
            }
            let remaining = end.map { scheduler.time(until: reference + $0) } ?? duration
            // This closure captures one object and nothing else, so it needs no object of its own.
            let timer = scheduler.forLimits.async(after: remaining) { node.operation(node, .expired) }
            node.keepFromNowOn(Kept(timer))
        }
    }
}
