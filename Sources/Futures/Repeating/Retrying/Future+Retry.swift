// retry: runs a future again when it fails, by a policy.

extension Future {
    /// A future that runs this one again each time it fails, as `policy` says; in the end the last error is passed on.
    ///
    /// Its delays are the current scheduler's. Cancelling it cancels the run or the delay in progress.
    public func retry(_ policy: RetryPolicy) -> Future {
        retry(policy, on: .current)
    }

    /// The same, with the time of `scheduler`.
    public func retry(_ policy: RetryPolicy, on scheduler: Scheduler) -> Future {
        retry(on: scheduler, policy) { _ in }
    }

    /// The same, with `onAttempt` called for each run that fails; it is told why, and what follows.
    ///
    /// If it throws, that error ends it.
    public func retry(
        _ policy: RetryPolicy,
        @_inheritActorContext
        onAttempt: @escaping @Sendable @isolated(any) (RetryAttempt) throws -> Void
    ) -> Future {
        let (scheduler, onAttempt) = place(onAttempt)
        return retry(on: scheduler, policy, onAttempt: onAttempt)
    }

    /// The same, with `onAttempt` called on `scheduler`, whose time counts.
    public func retry(
        on scheduler: Scheduler, _ policy: RetryPolicy,
        onAttempt: @escaping @Sendable (RetryAttempt) throws -> Void
    ) -> Future {
        guard policy.deadline != nil else { return retrying(policy, on: scheduler, since: nil, onAttempt) }
        return Future(
            node: .timed(self, on: scheduler) { run, start in
                run.retrying(policy, on: scheduler, since: start, onAttempt)
            })
    }

    private func retrying(
        _ policy: RetryPolicy, on scheduler: Scheduler, since start: ContinuousClock.Instant?,
        _ onAttempt: @escaping @Sendable (RetryAttempt) throws -> Void
    ) -> Future {
        var deposit: (@Sendable () -> Void)?
        if let budget = policy.budget { deposit = { budget.deposit(at: scheduler.now) } }
        return repeating(
            Repetition(on: scheduler, .errors, nil, onFirst: deposit) { result, past in
                let (error, now) = (result.failure, scheduler.now)
                let outcome = policy.outcome(
                    error, after: past.repetitions, past.delay, elapsed: (start ?? now).duration(to: now), at: now)
                do {
                    try onAttempt(RetryAttempt(number: past.repetitions + 1, error: error, outcome: outcome))
                } catch {
                    return .fail(error)
                }
                guard case .again(let delay) = outcome else { return .stop }
                return .again(after: delay)
            })
    }
}

extension Node {
    /// A node that has the result of what `body` makes of `run` and of the time of its beginning; each repetition has
    /// its own.
    fileprivate static func timed<T>(
        _ run: Future<T>, on scheduler: Scheduler,
        body: @escaping @Sendable (Future<T>, ContinuousClock.Instant) -> Future<T>
    ) -> Node {
        combined([run.node]) { node, children in
            let end = body(Future<T>(node: children[0]), scheduler.now)
            let listener = Node.listener(to: end.node, for: node) { arrival in
                arrival.parent?.complete(arrival.child.settledResult(as: T.self))
            }
            return Leaving([listener])
        }
    }
}
