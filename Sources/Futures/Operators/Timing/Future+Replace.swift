// replace: another future for one that takes too long.

extension Future {
    /// A future with the same result, or that of `other` if that takes longer than `duration`.
    ///
    /// This one is then cancelled, if nobody else listens to it; `other` is, if it is not needed. The time is
    /// `scheduler`'s. A repetition repeats both, and has the whole time.
    @inlinable
    public func replace(
        with other: Future, after duration: Duration, on scheduler: Scheduler = .current
    ) -> Future {
        replaced(.after(duration), on: scheduler, by: other)
    }

    /// A future with the same result, or that of `other` if there is none at `deadline`.
    ///
    /// The same as with a duration, but all repetitions have this one deadline. It goes by ``Scheduler/now``.
    @inlinable
    public func replace(
        with other: Future, at deadline: ContinuousClock.Instant, on scheduler: Scheduler = .current
    ) -> Future {
        replaced(.at(deadline), on: scheduler, by: other)
    }

    @inlinable
    func replaced(_ limit: Limit, on scheduler: Scheduler, by other: Future) -> Future {
        Future(
            node: .replaced(node, by: other.node, limit, on: scheduler) { node, child in
                node.complete(child.settledResult(as: Value.self))
            })
    }
}

extension Future {
    /// A future with the same result, or that of the future which `other` returns if that takes longer than `duration`.
    ///
    /// This one is then cancelled, if nobody else listens to it, before `other` is called; a throw is a failure. The
    /// time is that of the scheduler where the closure is called. Each repetition has the whole time.
    @inlinable
    public func replace(
        after duration: Duration,
        @_inheritActorContext with other: @escaping @Sendable @isolated(any) () throws -> Future
    ) -> Future {
        let (scheduler, other) = place(other)
        return replaced(.after(duration), on: scheduler, other)
    }

    /// The same, with `other` called on `scheduler`, by whose time it goes.
    @inlinable
    public func replace(
        on scheduler: Scheduler, after duration: Duration, with other: @escaping @Sendable () throws -> Future
    ) -> Future {
        replaced(.after(duration), on: scheduler, other)
    }

    /// A future with the same result, or that of the future which `other` returns if there is none at `deadline`.
    ///
    /// The same as with a duration, but all repetitions have this one deadline. It goes by ``Scheduler/now``.
    @inlinable
    public func replace(
        at deadline: ContinuousClock.Instant,
        @_inheritActorContext with other: @escaping @Sendable @isolated(any) () throws -> Future
    ) -> Future {
        let (scheduler, other) = place(other)
        return replaced(.at(deadline), on: scheduler, other)
    }

    /// The same, with `other` called on `scheduler`, by whose time it goes.
    @inlinable
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
        limited(limit, on: scheduler) { node, _, _ in node.complete(error: Expired()) }
            .step(on: .inPlace, .failures) { result in
                guard case .failure(let error) = result, error is Expired else { return .result(result) }
                // No hop: the time was over on this scheduler.
                return .future(Future<Void>().flatMap(on: scheduler) { try other() })
            }
    }
}

extension Node {
    /// A node that `pass` completes with `source`, or with `other` once the time of that is over.
    @usableFromInline
    static func replaced(
        _ source: Node, by other: Node, _ limit: Limit, on scheduler: Scheduler,
        pass: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        // The timer counts as a child, and with it the source.
        combined([source, other], counting: 3, needing: .oneOfThemOrTimer(scheduler)) { node, children in
            let first = Node.listener(to: children[0], for: node) { arrival in
                if let node = arrival.parent { pass(node, arrival.child) }
            }
            let missing = Locked(2)
            let second = Node.listener(to: children[1], for: node) { arrival in
                guard missing.isLast(), let node = arrival.parent else { return }
                node.readChildren { pass(node, children[1].resolved) }
            }
            guard !children[0].resolved.isSettled else { return Leaving([first, second]) }
            let timer = scheduler.async(after: limit.remaining(on: scheduler)) {
                first.cancel()
                if missing.isLast() { node.readChildren { pass(node, children[1].resolved) } }
                // It has left, unless its source can never settle: then it was counted before.
                if !first.isDormant { node.childIsOver() }
                node.childIsOver()
            }
            return Leaving([first, second], stopping: timer)
        }
    }
}

/// What a limited future fails with that is to be replaced; nobody else gets to see it.
@usableFromInline
struct Expired: Error {
    @inlinable init() {}
}
