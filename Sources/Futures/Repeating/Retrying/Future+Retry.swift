// retry: repeats a future that fails, as a policy says.

extension Future {
    /// Returns a future that repeats this one each time it fails, as long as `policy` allows; the last error is passed
    /// on.
    ///
    /// Each repetition runs the whole chain again. Cancelling the future cancels the run or the delay in progress.
    ///
    /// - Parameters:
    ///   - policy: Which errors are retried, how often and after which delays.
    ///   - scheduler: Where the policy's closures are called, and whose clock times its delays and its time limit.
    public func retry(_ policy: RetryPolicy, on scheduler: Scheduler = .current) -> Future {
        retry(on: scheduler, policy) { _ in }
    }

    /// Returns a future that repeats this one each time it fails, as long as `policy` allows, and calls `onAttempt` for
    /// each run that has failed; the last error is passed on.
    ///
    /// Each repetition runs the whole chain again. Cancelling the future cancels the run or the delay in progress.
    ///
    /// - Parameters:
    ///   - policy: Which errors are retried, how often and after which delays. Its closures are called where
    ///     `onAttempt` is, and that scheduler's clock times its delays and its time limit.
    ///   - onAttempt: Called for each run that has failed, with its error and the policy's decision, before the next
    ///     run or its delay starts. It runs on the closure's actor, or else on the current scheduler. An error that it
    ///     throws ends the retrying, and fails the future.
    public func retry(
        _ policy: RetryPolicy,
        @_inheritActorContext
        onAttempt: @escaping @Sendable @isolated(any) (RetryAttempt) throws -> Void
    ) -> Future {
        let (scheduler, onAttempt) = isolated(onAttempt)
        return retry(on: scheduler, policy, onAttempt: onAttempt)
    }

    /// Returns a future that repeats this one each time it fails, as long as `policy` allows, and calls `onAttempt` for
    /// each run that has failed; the last error is passed on.
    ///
    /// Each repetition runs the whole chain again. Cancelling the future cancels the run or the delay in progress.
    ///
    /// - Parameters:
    ///   - scheduler: Where `onAttempt` and the policy's closures are called, and whose clock times the delays and the
    ///     time limit.
    ///   - policy: Which errors are retried, how often and after which delays.
    ///   - onAttempt: Called for each run that has failed, with its error and the policy's decision, before the next
    ///     run or its delay starts. An error that it throws ends the retrying, and fails the future.
    public func retry(
        on scheduler: Scheduler, _ policy: RetryPolicy,
        onAttempt: @escaping @Sendable (RetryAttempt) throws -> Void
    ) -> Future {
        guard policy.timeLimit != nil else { return retrying(policy, on: scheduler, since: nil, onAttempt) }
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
            // The policy counts the repetitions, and paces them.
            Repetition(on: scheduler, .errors, .max, onFirst: deposit) { result, past in
                let (error, now) = (result.failure, scheduler.now)
                let outcome = policy.outcome(
                    error, after: past.repetitions, past.delay, elapsed: (start ?? now).duration(to: now), at: now)
                do {
                    try onAttempt(RetryAttempt(number: past.repetitions + 1, error: error, outcome: outcome))
                } catch {
                    return .fail(error)
                }
                guard case .retry(let delay) = outcome else { return .stop }
                if Recording.isOn { Measurements.count { $0.retried += 1 } }
                return .again(after: delay)
            })
    }
}

extension Node {
    /// Returns a node with the result of the future that `body` makes of `run` and of the time at which it starts. Each
    /// repetition has its own time.
    fileprivate static func timed<T>(
        _ run: Future<T>, on scheduler: Scheduler,
        body: @escaping @Sendable (Future<T>, ContinuousClock.Instant) -> Future<T>
    ) -> Node {
        combined([run.node]) { node, children in
            let end = body(Future<T>(node: children[0]), scheduler.now)
            return DetachListeners([Node.listener(to: end.node, for: node, handler: completingParent)])
        }
    }
}
