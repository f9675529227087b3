// RetryPolicy: which errors are retried, how often, for how long, and after which delays.

/// Which errors are retried, how often, for how long, and after which delays.
///
///     page(at: url).retry(.exponential(from: .milliseconds(100), upTo: .seconds(10), maxRepetitions: 3))
///
///     let policy = RetryPolicy(
///         .exponential(from: .milliseconds(100), upTo: .seconds(10)).jittered(),
///         maxRepetitions: 5, timeLimit: .seconds(30), budget: budget
///     ) { error in error is Offline }
///     page(at: url).retry(policy)
///
/// A policy is a value, which any number of futures can use. Copies share its budget and its random number generator;
/// it has no other state.
///
/// Clients that have failed at the same time should not retry at the same time, so make the delays random. `jittered`
/// is the *full jitter* of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
public struct RetryPolicy: Sendable {
    /// The maximum number of repetitions after the first run; nil for no limit. Without a limit, repetitions without a
    /// delay wait for 100 ms each, after the hundredth failure.
    package private(set) var maxRepetitions: Int?
    /// The time, counted from the start of the first run, after which no run starts; nil for no limit.
    package private(set) var timeLimit: Duration?
    /// The limit of the repetitions of all futures that share it; nil for none.
    package private(set) var budget: RetryBudget?
    private var isRetried: @Sendable (any Error) -> Bool = { !$0.isFinal }
    private var minimumDelay: @Sendable (any Error) -> Duration? = { _ in nil }

    /// Returns the delay after a number of repetitions, before the jitter.
    private let nominalDelay: @Sendable (_ repetitions: Int) -> Duration
    private var jitter: (@Sendable (Duration) -> Duration)?

    /// Creates a policy with the delays of another one, and with its limits and closures where no others are passed.
    ///
    /// - Parameters:
    ///   - policy: The policy to copy, such as `.constant(.seconds(1))`.
    ///   - maxRepetitions: The maximum number of repetitions after the first run; nil for that of `policy`, or for no
    ///     limit.
    ///   - timeLimit: A time limit, counted from the start of the first run: no run starts after it, and if the next
    ///     one would, the error is passed on immediately. A run that is in progress then continues; limit it by a
    ///     `timeout` of its own.
    ///   - budget: A limit of the repetitions of all futures that share it.
    ///   - file: The file named by the trap if `maxRepetitions` is negative.
    ///   - line: The line named by the trap if `maxRepetitions` is negative.
    ///   - isRetried: Returns whether an error is retried; by default, any error but a `CancellationError` and
    ///     `QueueError.closed`. It is called where the retrying is scheduled, as `minimumDelay` is.
    ///   - minimumDelay: Returns the shortest delay that an error asks for, such as the `Retry-After` of a server, or
    ///     nil. A longer delay of the policy has precedence; the policy's cap does not apply.
    /// - Precondition: `maxRepetitions` is not negative.
    public init(
        _ policy: RetryPolicy, maxRepetitions: Int? = nil, timeLimit: Duration? = nil, budget: RetryBudget? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        when isRetried: (@Sendable (any Error) -> Bool)? = nil,
        minimumDelay: (@Sendable (any Error) -> Duration?)? = nil
    ) {
        self = policy
        maxRepetitions?.checkRepetitions(file, line)
        self.maxRepetitions = maxRepetitions ?? policy.maxRepetitions
        self.timeLimit = timeLimit ?? policy.timeLimit
        self.budget = budget ?? policy.budget
        if let isRetried { self.isRetried = isRetried }
        if let minimumDelay { self.minimumDelay = minimumDelay }
    }

    private init(
        from first: Duration, upTo cap: Duration = .longest, _ maxRepetitions: Int?, _ file: StaticString, _ line: UInt,
        _ delay: @escaping @Sendable (_ repetitions: Int) -> Duration
    ) {
        guard first >= .zero, cap >= .zero else {
            fatalError("A delay must not be negative. Use zero for none.", file: file, line: line)
        }
        let cap = cap.asDelay
        nominalDelay = { min(delay($0), cap) }
        maxRepetitions?.checkRepetitions(file, line)
        self.maxRepetitions = maxRepetitions
    }
}

extension RetryPolicy {
    /// Returns a policy whose delays are all the same; zero for none.
    ///
    /// - Precondition: No number is negative.
    public static func constant(
        _ delay: Duration, maxRepetitions: Int? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RetryPolicy {
        RetryPolicy(from: delay, maxRepetitions, file, line) { _ in delay.asDelay }
    }

    /// Returns a policy whose delays grow from `first`, each by `factor`, up to `cap`, such as 1, 2, 4, 8.
    ///
    /// - Precondition: No number is negative, and `factor` is a finite number of at least 1.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo cap: Duration, maxRepetitions: Int? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RetryPolicy {
        guard factor >= 1, factor.isFinite else {
            fatalError(
                "Delays must not become shorter: the factor must be a finite number of at least 1.", file: file,
                line: line)
        }
        return RetryPolicy(from: first, upTo: cap, maxRepetitions, file, line) { repetitions in
            var (delay, rest) = (first, factor > 1 && first > .zero ? repetitions : 0)
            while rest > 0, delay < cap {
                delay = delay < cap / factor ? delay * factor : cap
                rest -= 1
            }
            return delay
        }
    }

    /// Returns a policy whose delays a closure gives.
    ///
    ///     RetryPolicy.custom { repetition in fibonacci(repetition) }
    ///
    /// - Parameter delay: Returns the delay before a repetition, for the number of repetitions before it: zero for the
    ///   first one. A negative delay counts as zero. It is called where the retrying is scheduled.
    public static func custom(_ delay: @escaping @Sendable (_ repetition: Int) -> Duration) -> RetryPolicy {
        RetryPolicy(from: .zero, nil, #fileID, #line) { delay($0).asDelay }
    }

    /// Returns this policy with random delays, uniformly distributed between zero and the delays of this one.
    ///
    /// - Parameter generator: The source of random numbers, which copies of the policy share; pass a seeded one for
    ///   reproducible tests. It is called under a lock, and must not use the policy.
    public func jittered(
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> RetryPolicy {
        var policy = self
        let state = Locked(generator)
        let isSystem = generator is SystemRandomNumberGenerator
        policy.jitter = { delay in
            let number = (isSystem ? Worlds.here?.random() : nil) ?? state.withLock { $0.next() }
            // At least 0, and less than 1. Not by `Double.random(in:using:)`, which never returns if the generator
            // always returns the same number, as one written for a test may.
            return delay * (Double(number >> 11) * 0x1p-53)
        }
        return policy
    }

    /// Returns the delay before the next repetition, after `repetitions` repetitions.
    package func delay(after repetitions: Int) -> Duration {
        let delay = nominalDelay(repetitions)
        return jitter?(delay) ?? delay
    }

    /// Returns the delay before the next run, after `repetitions` repetitions and `elapsed` after the start of the first
    /// run; nil if `error` is passed on.
    func nextDelay(_ error: any Error, after repetitions: Int, elapsed: Duration) -> Duration? {
        guard isRetried(error), repetitions < maxRepetitions ?? .max else { return nil }
        var delay = max(delay(after: repetitions), minimumDelay(error) ?? .zero)
        if maxRepetitions == nil { delay = delay.paced(repetitions + 1) }
        if let timeLimit, elapsed.delayed(by: delay) >= timeLimit { return nil }
        if let budget, !budget.withdraw() { return nil }
        return delay
    }
}
