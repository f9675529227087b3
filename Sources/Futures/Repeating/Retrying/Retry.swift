// retry: repeats a future that fails, as a policy says.

extension Future {
    /// Returns a future that repeats this one each time it fails, as long as `policy` allows; the last error is passed
    /// on.
    ///
    ///     page(at: url).retry(.exponential(from: .seconds(1), upTo: .seconds(60), maxRepetitions: 3))
    ///
    /// Each repetition runs the whole chain again. Cancelling the future cancels the run or the delay in progress.
    ///
    /// - Parameter policy: Which errors are retried, how often and after which delays. Its closures are called on the
    ///   current scheduler, whose clock times its delays and its time limit.
    public func retry(_ policy: RetryPolicy) -> Future { retry(policy, on: .current) }

    /// Returns a future that repeats this one each time it fails, as long as `policy` allows, and calls `onAttempt` for
    /// each run that has failed; the last error is passed on.
    ///
    ///     page(at: url).retry(policy) { attempt in log(attempt.error) }
    ///     page(at: url).retry(policy) { attempt in attempt.error is Unauthorized ? refreshToken() : Future() }
    ///
    /// - Parameters:
    ///   - policy: Which errors are retried, how often and after which delays. Its closures are called where
    ///     `onAttempt` is, and that scheduler's clock times its delays and its time limit.
    ///   - onAttempt: Called for each run that has failed, with its error and the policy's decision, before the next
    ///     run or its delay starts. It runs on the closure's actor, or else on the current scheduler. If it returns a
    ///     future, the next run waits for that; its value does not matter, and the policy's time limit does not include
    ///     it. An error of the closure or of its future ends the retrying, and fails the returned future.
    public func retry<T: Sendable>(
        _ policy: RetryPolicy,
        @_inheritActorContext onAttempt: @escaping @Sendable @isolated(any) (RetryAttempt) throws -> T
    ) -> Future {
        let call = Body(.isolated(onAttempt)).call
        return retry(policy, on: .inferred(from: onAttempt.isolation)) { attempt in
            (try call(attempt) as? any AwaitedFuture)?.asVoid()
        }
    }

    /// ``retry(_:onAttempt:)`` on `scheduler`. The next run waits for the future of `onAttempt`, if there is one.
    @usableFromInline
    package func retry(
        _ policy: RetryPolicy, on scheduler: Scheduler,
        onAttempt: (@Sendable (RetryAttempt) throws -> Future<Void>?)? = nil
    ) -> Future {
        guard policy.timeLimit != nil else { return retrying(policy, on: scheduler, since: nil, onAttempt) }
        // A combination of one, whose closure each run of the whole calls: it reads the clock.
        return Future(
            node: .combined([node]) { node, children in
                let end = Future(node: children[0]).retrying(policy, on: scheduler, since: scheduler.now, onAttempt)
                return [Node.listener(to: end.node, for: node, handler: Node.completingParent)]
            })
    }

    private func retrying(
        _ policy: RetryPolicy, on scheduler: Scheduler, since start: ContinuousClock.Instant?,
        _ onAttempt: (@Sendable (RetryAttempt) throws -> Future<Void>?)?
    ) -> Future {
        stepOfNode(on: scheduler, .errors) { node in
            // With any result of the first run.
            policy.budget?.deposit()
            // The policy counts the repetitions, and paces them.
            let repetition = Repetition<Value>(on: scheduler, .errors, .max) { result, repetitions in
                let error = result.failure
                let elapsed = start?.duration(to: scheduler.now) ?? .zero
                let delay = policy.nextDelay(error, after: repetitions, elapsed: elapsed)
                let isRetried = delay != nil
                let wait: Future<Void>?
                do {
                    wait = try onAttempt?(RetryAttempt(number: repetitions + 1, error: error, nextDelay: delay))
                } catch {
                    return .again(if: Future<Bool>(error: error))
                }
                if isRetried { Recording.recorderIfOn?.retried() }
                guard let wait else { return isRetried ? .again(after: delay) : .stop }
                return .again(after: delay, if: wait.map(on: .inPlace) { isRetried })
            }
            return try repetition.step(node) { $0 }
        }
    }
}

/// A future of any value, for which a retry waits.
private protocol AwaitedFuture {
    func asVoid() -> Future<Void>
}

extension Future: AwaitedFuture {}
