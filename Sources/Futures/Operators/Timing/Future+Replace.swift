// replace: another future for one that takes too long.

extension Future {
    /// Returns a future with the same result, or with `other`'s result if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners. If this future completes first,
    /// its result, value or error, is passed on and `other` is cancelled unless it has other listeners. A result of
    /// `other` that is available earlier waits for the limit. A repetition repeats both futures and has the whole
    /// duration.
    ///
    /// - Parameters:
    ///   - other: The replacement. Like every future it is running already; to start an operation only when the limit
    ///     passes, use ``replace(after:with:)``.
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - scheduler: Measures the time.
    @_alwaysEmitIntoClient
    public func replace(
        with other: Future, after duration: Duration, on scheduler: Scheduler = .current
    ) -> Future {
        replaced(.after(duration), on: scheduler, by: other)
    }

    /// Returns a future with the same result, or with `other`'s result if there is none at `deadline`.
    ///
    /// When the deadline passes, this future is cancelled unless it has other listeners. If this future completes
    /// first, its result, value or error, is passed on and `other` is cancelled unless it has other listeners. A result
    /// of `other` that is available earlier waits for the deadline. A repetition repeats both futures and has the same
    /// deadline.
    ///
    /// - Parameters:
    ///   - other: The replacement. Like every future it is running already; to start an operation only when the
    ///     deadline passes, use ``replace(at:with:)``.
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A past deadline passes at
    ///     once, but not within this call.
    ///   - scheduler: Measures the time.
    @_alwaysEmitIntoClient
    public func replace(
        with other: Future, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        replaced(.at(deadline), on: scheduler, by: other)
    }

    @inlinable
    func replaced(_ limit: Limit, on scheduler: Scheduler, by other: Future) -> Future {
        Future(node: .replaced(node, by: other.node, limit, on: scheduler))
    }
}

extension Future {
    /// Returns a future with the same result, or with that of `other`'s future if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners, and then `other` is called. The
    /// time is measured by the scheduler that the closure runs on. Each repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - other: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public func replace(
        after duration: Duration,
        @_inheritActorContext with other: @escaping @Sendable @isolated(any) () throws -> Future
    ) -> Future {
        let (scheduler, other) = isolated(other)
        return replaced(.after(duration), on: scheduler, other)
    }

    /// Returns a future with the same result, or with that of `other`'s future if there is none within `duration`.
    ///
    /// When the limit passes, this future is cancelled unless it has other listeners, and then `other` is called. Each
    /// repetition has the whole duration.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that measures the time and that `other` is called on.
    ///   - duration: The time limit. If it is zero or negative, the limit passes immediately, but not within this call.
    ///   - other: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public func replace(
        on scheduler: Scheduler, after duration: Duration, with other: @escaping @Sendable () throws -> Future
    ) -> Future {
        replaced(.after(duration), on: scheduler, other)
    }

    /// Returns a future with the same result, or with that of `other`'s future if there is none at `deadline`.
    ///
    /// When the deadline passes, this future is cancelled unless it has other listeners, and then `other` is called.
    /// The time is measured by the scheduler that the closure runs on. All repetitions have the same deadline.
    ///
    /// - Parameters:
    ///   - deadline: An instant on that scheduler's clock; see ``Scheduler/now``. A past deadline passes immediately,
    ///     but not within this call.
    ///   - other: Runs on the closure's actor, or else on the current scheduler. If it throws, the returned future
    ///     fails with that error.
    @_alwaysEmitIntoClient
    public func replace(
        at deadline: ContinuousClock.Instant,
        @_inheritActorContext with other: @escaping @Sendable @isolated(any) () throws -> Future
    ) -> Future {
        let (scheduler, other) = isolated(other)
        return replaced(.at(deadline), on: scheduler, other)
    }

    /// Returns a future with the same result, or with that of `other`'s future if there is none at `deadline`.
    ///
    /// When the deadline passes, this future is cancelled unless it has other listeners, and then `other` is called.
    /// All repetitions have the same deadline.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that measures the time and that `other` is called on.
    ///   - deadline: An instant on the clock of `scheduler`; see ``Scheduler/now``. A past deadline passes at
    ///     once, but not within this call.
    ///   - other: If it throws, the returned future fails with that error.
    @_alwaysEmitIntoClient
    public func replace(
        on scheduler: Scheduler, at deadline: ContinuousClock.Instant,
        with other: @escaping @Sendable () throws -> Future
    ) -> Future {
        replaced(.at(deadline), on: scheduler, other)
    }

    @inlinable
    func replaced(
        _ limit: Limit, on scheduler: Scheduler, _ other: @escaping @Sendable () throws -> Future
    ) -> Future {
        limited(limit, on: scheduler) { node, _, _ in node.giveUp(Expired()) }
            .step(on: .inPlace, .failures) { result in
                guard case .failure(let error) = result, error is Expired else { return .result(result) }
                return .future(Future<Void>().flatMap(on: scheduler) { try other() })
            }
    }
}

extension Node {
    /// A node that completes as `source`, or as `other` once the time limit has passed.
    @usableFromInline
    static func replaced(
        _ source: Node, by other: Node, _ limit: Limit, on scheduler: Scheduler
    ) -> Node {
        combined([source, other], needing: .firstOrTimerAndSecond(scheduler.forLimits)) { node, children in
            let first = Node.listener(to: children[0], for: node, .ofChild, handler: completingParent)
            let missing = Countdown(2)
            let second = Node.listener(to: children[1], for: node, .ofChild) { arrival in
                guard missing.countDown(), let node = arrival.parent else { return }
                node.settleFromOutside(as: children[1])
            }
            guard !children[0].hasSettled else { return DetachListeners([first, second]) }
            let timer = scheduler.limit(after: limit.remaining(on: scheduler)) {
                if missing.countDown() {
                    // Leaves the source, too.
                    node.settleFromOutside(as: children[1])
                } else {
                    first.cancel()
                }
            }
            return DetachListeners([first, second], stopping: timer)
        }
    }
}

/// The error of a time limit whose future is to be replaced. No user code sees it.
@usableFromInline
struct Expired: Error {
    @inlinable init() {}
}
