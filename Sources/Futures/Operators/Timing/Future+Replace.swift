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
            node: .replaced(expiring(limit, on: scheduler).node, by: other.node) { node, child in
                node.complete(child.settledResult(as: Value.self))
            })
    }

    @inlinable
    func expiring(_ limit: Limit, on scheduler: Scheduler) -> Future {
        limited(limit, on: scheduler) { node, _, _ in node.complete(error: Expired()) }
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
        expiring(limit, on: scheduler)
            .step(on: .inPlace, .failures) { result in
                guard case .failure(let error) = result, error is Expired else { return .result(result) }
                // No hop: the time was over on this scheduler.
                return .future(Future<Void>().flatMap(on: scheduler) { try other() })
            }
    }
}

extension Node {
    /// A node that `pass` completes with `source`, or once that has expired with `other`.
    @usableFromInline
    static func replaced(
        _ source: Node, by other: Node, pass: @escaping @Sendable (Node, Node) -> Void
    ) -> Node {
        combined([source, other]) { node, children in
            let missing = Locked(2)
            let arrive: @Sendable (Node.Arrival) -> Void = { arrival in
                guard missing.isLast(), let node = arrival.parent else { return }
                node.readChildren { pass(node, children[1].resolved) }
            }
            let first = Node.listener(to: children[0], for: node) { arrival in
                if arrival.child.hasExpired { return arrive(arrival) }
                if let node = arrival.parent { pass(node, arrival.child) }
            }
            return Leaving([first, Node.listener(to: children[1], for: node, handler: arrive)])
        }
    }

    private var hasExpired: Bool { !isSuccess && payload.error is Expired }
}

/// What a limited future fails with that is to be replaced; nobody else gets to see it.
@usableFromInline
struct Expired: Error {
    @inlinable init() {}
}
