// CircuitBreaker: rejects calls of a service that fails, until it may have recovered.

/// Rejects calls of a service that keeps failing, without a request, until it may have recovered.
///
///     let breaker = CircuitBreaker(maxFailures: 5, resetTimeout: .seconds(30))
///     breaker.future { client.data(from: url) }           // Future<HTTPResponse>
///     breaker.future { Future { try await ask(url) } }    // asynchronous code
///
/// After `maxFailures` failures in a row, or among the last calls, the circuit is *open*: calls fail with ``OpenError``.
/// When `resetTimeout` has passed, the next call is a trial, and the circuit is open for another `resetTimeout`: others
/// are rejected. If the trial succeeds, the circuit is closed immediately, and calls pass again. If it fails, or takes
/// longer, a call after that time is the next trial. The pattern is from Michael Nygard, *Release It!*, 2007.
///
///     // Ten of the last twenty calls that ended within ten seconds:
///     CircuitBreaker(maxFailures: 10, ofLast: 20, within: .seconds(10), resetTimeout: .seconds(30))
///
/// Use it beside a retry policy: a ``RetryBudget`` limits how many retries a service gets, a breaker stops the first
/// calls too. With `minimumDelay: { ($0 as? CircuitBreaker.OpenError)?.retryAfter }`, a policy waits for the next trial;
/// allow at least two repetitions, as another call may be that trial.
public final class CircuitBreaker: Sendable {
    /// The error of a call that the breaker has rejected.
    public struct OpenError: Error, Equatable, CustomStringConvertible {
        /// The time until the next trial. It is less if a trial in progress succeeds. After ``CircuitBreaker/open()``, when
        /// there is none, the time that would pass.
        public let retryAfter: Duration

        /// Creates an error, for instance for a test of a policy.
        ///
        /// - Parameter retryAfter: The time until the next trial.
        public init(retryAfter: Duration) { self.retryAfter = retryAfter }

        /// A message with the time.
        public var description: String { "The circuit is open: the service has failed. Retry after \(retryAfter)." }
    }

    private let state: Locked<CircuitState>
    private let clock: Scheduler
    private let isFailure: @Sendable (any Error) -> Bool
    private let onChange: (@Sendable () -> Void)?

    /// Creates a closed circuit, which lets calls through.
    ///
    /// - Parameters:
    ///   - maxFailures: The number of failures that open the circuit.
    ///   - calls: Among how many calls that ended last they are counted: by default as many, so they are in a row. Each
    ///     call takes time in proportion.
    ///   - window: How long ago a call may have ended to be counted. By default, any time.
    ///   - resetTimeout: How long it is open, and the time between two trials.
    ///   - trials: How many calls are let through as one trial. So many have to succeed in a row, of one trial or several.
    ///   - scheduler: The scheduler whose clock measures that.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    ///   - isFailure: Returns whether an error counts as a failure of the service; by default, any error does but a
    ///     `CancellationError`, which counts as neither a failure nor a success. Other errors count as successes: the
    ///     service has answered. It is called on the operation's scheduler.
    ///   - onChange: Called on `scheduler` when ``isClosed`` has changed, for instance to report it.
    /// - Precondition: `maxFailures` and `trials` are at least 1, `calls` is not less than `maxFailures`, and the durations
    ///   are not negative.
    public init(
        maxFailures: Int, ofLast calls: Int? = nil, within window: Duration? = nil, resetTimeout: Duration,
        trials: Int = 1, on scheduler: Scheduler = .background, file: StaticString = #fileID, line: UInt = #line,
        isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true }, onChange: (@Sendable () -> Void)? = nil
    ) {
        let calls = calls ?? maxFailures
        guard maxFailures >= 1, trials >= 1, calls >= maxFailures, min(resetTimeout, window ?? .zero) >= .zero else {
            fatalError(
                "A circuit breaker's maxFailures and trials must be at least 1, ofLast not less than maxFailures, and "
                    + "its durations not negative.", file: file, line: line)
        }
        state = Locked(
            CircuitState(
                maxFailures: maxFailures, calls: calls, window: window ?? .longest, resetTimeout: resetTimeout,
                trials: trials))
        clock = scheduler
        self.isFailure = isFailure
        self.onChange = onChange
    }

    /// Whether calls are let through without a trial.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Opens the circuit until ``close()`` is called: no call is let through, not even as a trial. For instance while
    /// the service is known to be down.
    public func open() { change { $0.change(nextTrial: $1.after(.longest)) } }

    /// Closes the circuit, as a trial that succeeds does.
    public func close() { change { state, _ in state.change(nextTrial: nil) } }

    /// Returns a future of the result of `operation`, or of an ``OpenError`` without calling it.
    ///
    /// A repetition asks again.
    ///
    /// - Parameter operation: Runs on the closure's actor, or else on the current scheduler. An error that it throws is
    ///   its result.
    public func future<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        future(on: .inferred(from: operation.isolation), Beginning(.isolated(operation)).call)
    }

    /// The same, called on `scheduler`.
    package func future<T: Sendable>(
        on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().flatMap(on: .inPlace) { [self] in
            let call = try change { try $0.admit(at: $1) }
            let result = Future<Void>().flatMap(on: scheduler) { try operation() }
            return Future<T>(
                // `isFailure` is user code, so it is not called in place.
                node: .step(from: result.node, on: scheduler, [.errors, .cancels], Closure()) { [self] node, event in
                    guard event == .arrived else { return end(call, isSuccess: nil) }
                    guard node.tryBegin() else { return }
                    if let error = node.arrived._withUnsafeGuaranteedRef(\.failure) {
                        end(call, isSuccess: error is CancellationError ? nil : !isFailure(error))
                    } else {
                        end(call, isSuccess: true)
                    }
                    node.settleInJob(as: node.arrived)
                })
        }
    }

    private func end(_ call: Int, isSuccess: Bool?) { change { $0.end(call, isSuccess: isSuccess, at: $1) } }

    private func change<T>(_ body: (inout CircuitState, ContinuousClock.Instant) throws -> T) rethrows -> T {
        let now = clock.now
        let (result, hasChanged) = try state.withLock { state in
            let wasClosed = state.isClosed
            let result = try body(&state, now)
            return (result, state.isClosed != wasClosed)
        }
        if hasChanged, let onChange { clock.async(onChange) }
        return result
    }
}

/// A pure state machine: it calls nothing.
///
///     closed ──failures reach the limit──► open ──calls after the time, the trial───┐
///       ▲                                   │ ▲                                     │
///       └─────────the trial succeeds────────┘ └─────────────────────────────────────┘
///
/// A trial opens the circuit for another time when it starts, whether it fails then or never ends. If a call of it ends
/// without a success or a failure, because it was cancelled, the next call takes its place.
private struct CircuitState: Sendable {
    let maxFailures: Int
    let calls: Int
    let window: Duration
    let resetTimeout: Duration
    let trials: Int
    /// While the circuit is closed, when the last calls ended, and whether they failed.
    var ended: [(at: ContinuousClock.Instant, isFailure: Bool)] = []
    /// When the next trial may start, while the circuit is open.
    var nextTrial: ContinuousClock.Instant?
    /// How many calls of a trial may still begin.
    var admissible = 0
    /// How many calls of trials have yet to succeed in a row.
    var missing = 0
    /// Calls that were admitted before the circuit opened or closed, or before a trial failed, count no more.
    var age = 0

    var isClosed: Bool { nextTrial == nil }

    /// Returns a number of the call, to be given back with its result.
    mutating func admit(at now: ContinuousClock.Instant) throws -> Int {
        guard let nextTrial else { return age }
        if nextTrial <= now {
            let missing = missing
            change(nextTrial: now.after(resetTimeout))
            (admissible, self.missing) = (missing, missing)
        }
        guard admissible > 0 else {
            throw CircuitBreaker.OpenError(retryAfter: min(now.duration(to: nextTrial).asDelay, resetTimeout))
        }
        admissible -= 1
        return age
    }

    /// A call has succeeded or failed; nil if neither.
    mutating func end(_ call: Int, isSuccess: Bool?, at now: ContinuousClock.Instant) {
        guard call == age else { return }
        switch (isSuccess, isClosed) {
        case (let isSuccess?, true):
            ended.append((now, !isSuccess))
            if ended.count > calls { ended.removeFirst() }
            ended.removeAll { [window] in $0.at.after(window) < now }
            if ended.count(where: \.isFailure) >= maxFailures { change(nextTrial: now.after(resetTimeout)) }
        case (true, false):
            missing -= 1
            if missing == 0 { change(nextTrial: nil) }
        case (false, false):
            (admissible, missing) = (0, trials)
            age += 1
        case (nil, true): break
        case (nil, false): admissible += 1
        }
    }

    mutating func change(nextTrial: ContinuousClock.Instant?) {
        (self.nextTrial, ended, admissible, missing) = (nextTrial, [], 0, trials)
        age += 1
    }
}

extension CircuitBreaker: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { ("CircuitBreaker", ["isClosed": isClosed]) }
}
