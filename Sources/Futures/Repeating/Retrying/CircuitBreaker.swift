// CircuitBreaker: rejects calls of a service that fails, until it may have recovered.

/// Rejects calls of a service that keeps failing, without a request, until it may have recovered.
///
///     let breaker = CircuitBreaker(maxFailures: 5, resetTimeout: .seconds(30))
///     breaker.future { client.data(from: url) }   // Future<HTTPResponse>
///     breaker.run { try await ask(url) }          // asynchronous code
///
/// After `maxFailures` failures in a row, the circuit is *open*: calls fail with ``OpenError``. When `resetTimeout` has
/// passed, the next call is a trial, and the circuit is open for another `resetTimeout`: others are rejected. If the
/// trial succeeds, the circuit is closed immediately, and calls pass again. If it fails, or takes longer, a call after
/// that time is the next trial. The pattern is from Michael Nygard, *Release It!*, 2007.
///
/// Use it beside a retry policy: a ``RetryBudget`` limits how many retries a service gets, a breaker stops the first
/// calls too. With `minimumDelay: { ($0 as? CircuitBreaker.OpenError)?.retryAfter }`, a policy waits for the next trial;
/// allow at least two repetitions, as another call may be that trial.
public final class CircuitBreaker: Sendable {
    /// The error of a call that the breaker has rejected.
    public struct OpenError: Error, Equatable, CustomStringConvertible {
        /// The time until a call is let through. It is less if a trial in progress succeeds.
        public let retryAfter: Duration

        /// Creates an error, for instance for a test of a policy.
        ///
        /// - Parameter retryAfter: The time until a call is let through.
        public init(retryAfter: Duration) { self.retryAfter = retryAfter }

        /// A message with the time.
        public var description: String { "The circuit is open: the service has failed. Retry after \(retryAfter)." }
    }

    private let state: Locked<CircuitState>
    private let clock: Scheduler
    private let isFailure: @Sendable (any Error) -> Bool

    /// Creates a closed circuit, which lets calls through.
    ///
    /// - Parameters:
    ///   - maxFailures: The number of failures in a row that open the circuit.
    ///   - resetTimeout: How long it is open, and the time between two trials.
    ///   - scheduler: The scheduler whose clock measures that.
    ///   - file: The file named by the trap if a precondition fails.
    ///   - line: The line named by the trap if a precondition fails.
    ///   - isFailure: Returns whether an error counts as a failure of the service; by default, any error does but a
    ///     `CancellationError`, which counts as neither a failure nor a success. Other errors count as successes: the
    ///     service has answered. It is called on the operation's scheduler.
    /// - Precondition: `maxFailures` is at least 1, and `resetTimeout` is not negative.
    public init(
        maxFailures: Int, resetTimeout: Duration, on scheduler: Scheduler = .background, file: StaticString = #fileID,
        line: UInt = #line, isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        guard maxFailures >= 1, resetTimeout >= .zero else {
            fatalError(
                "A circuit breaker's maxFailures must be at least 1, and its resetTimeout not negative.", file: file,
                line: line)
        }
        state = Locked(CircuitState(maxFailures: maxFailures, resetTimeout: resetTimeout))
        clock = scheduler
        self.isFailure = isFailure
    }

    /// Whether calls are let through without a trial.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Returns a future of the result of `operation`, or of an ``OpenError`` without calling it.
    ///
    /// A repetition asks again.
    ///
    /// - Parameter operation: Runs on the closure's actor, or else on the current scheduler. An error that it throws is
    ///   its result.
    public func future<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () throws -> Future<T>
    ) -> Future<T> {
        let scheduler = Scheduler.inferred(from: operation.isolation)
        return future(on: scheduler, judgingOn: scheduler, Beginning(.isolated(operation)).call)
    }

    /// Calls `operation` on one scheduler, and `isFailure` on another one.
    @usableFromInline
    func future<T: Sendable>(
        on scheduler: Scheduler, judgingOn judge: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) -> Future<T> {
        Future<Void>().flatMap(on: .inPlace) { [self] in
            let now = clock.now
            let call = try state.withLock { try $0.admit(at: now) }
            return Future<Void>().flatMap(on: scheduler) { try operation() }
                // `isFailure` is user code, so it is not called in place.
                .onError(on: judge) { [self] error in
                    if !(error is CancellationError) { end(call, isSuccess: !isFailure(error)) }
                }
                .onValue(on: .inPlace) { [self] _ in end(call, isSuccess: true) }
                .onCancel(on: .inPlace) { [self] in end(call, isSuccess: nil) }
        }
    }

    private func end(_ call: Int, isSuccess: Bool?) {
        let now = clock.now
        state.withLock { $0.end(call, isSuccess: isSuccess, at: now) }
    }
}

/// A pure state machine: it calls nothing.
///
///     closed ──failures reach the limit──► open ──a call after the time, the trial──┐
///       ▲                                   │ ▲                                     │
///       └─────────the trial succeeds────────┘ └─────────────────────────────────────┘
///
/// A trial opens the circuit for another time when it starts, whether it fails then or never ends. If it ends without a
/// success or a failure, because it was cancelled, the next call is a trial.
private struct CircuitState: Sendable {
    let maxFailures: Int
    let resetTimeout: Duration
    /// The failures in a row while the circuit is closed.
    var failures = 0
    /// When the next trial may start, while the circuit is open.
    var nextTrial: ContinuousClock.Instant?
    /// Calls that were admitted before the circuit opened or closed count no more.
    var age = 0

    var isClosed: Bool { nextTrial == nil }

    /// Returns a number of the call, to be given back with its result.
    mutating func admit(at now: ContinuousClock.Instant) throws -> Int {
        if let nextTrial {
            guard nextTrial <= now else {
                throw CircuitBreaker.OpenError(retryAfter: now.duration(to: nextTrial).asDelay)
            }
            change(nextTrial: now.after(resetTimeout))
        }
        return age
    }

    /// A call has succeeded or failed; nil if neither, or if that was told before.
    mutating func end(_ call: Int, isSuccess: Bool?, at now: ContinuousClock.Instant) {
        guard call == age else { return }
        switch (isSuccess, isClosed) {
        case (true, true): failures = 0
        case (true, false): change(nextTrial: nil)
        case (false, true):
            failures += 1
            if failures == maxFailures { change(nextTrial: now.after(resetTimeout)) }
        case (false, false): age += 1
        case (nil, true): break
        case (nil, false): change(nextTrial: now)
        }
    }

    private mutating func change(nextTrial: ContinuousClock.Instant?) {
        (self.nextTrial, failures) = (nextTrial, 0)
        age += 1
    }
}

extension CircuitBreaker: CustomStringConvertible, CustomReflectable, Summarized {
    package var summary: Summary { Summary("CircuitBreaker", ["isClosed": isClosed]) }
}

extension CircuitBreaker {
    /// Returns a future of what an asynchronous operation returns or throws, or of an ``OpenError`` without calling it.
    ///
    /// Use `future` for a closure that returns a future. A repetition asks again.
    ///
    /// - Parameter operation: Runs in a task, on the closure's actor, or else on the concurrent pool.
    @_alwaysEmitIntoClient
    public func run<T: Sendable>(
        @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> T
    ) -> Future<T> {
        future(on: .inPlace, judgingOn: .inferred(from: operation.isolation)) { Future(task: operation) }
    }
}
