// Repetition: the common part of the operators that repeat a future.

/// When, after which delay and how often a future is repeated.
@usableFromInline
struct Repetition<Value: Sendable>: Sendable {
    /// A decision about a result.
    @usableFromInline
    enum Decision: Sendable {
        /// Pass the result on.
        case stop
        /// Repeat the future after the delay; if there is an answer to wait for, only if that is true. If it is false
        /// or an error, pass the result on, which the error replaces if `replacing` is true.
        case again(after: Duration? = nil, if: Future<Bool>? = nil, replacing: Bool = false)
    }

    @usableFromInline let scheduler: Scheduler
    /// The results for which `decide` is called; others are passed on.
    @usableFromInline let wanted: Traits
    /// The maximum number of repetitions; nil for no limit. Without a limit, the failures of a run are paced.
    @usableFromInline let maximum: Int?
    /// Called on the scheduler with a result and the repetitions before it. If it throws, the result is passed on.
    @usableFromInline let decide: @Sendable (Result<Value, any Error>, RunHistory) throws -> Decision

    /// The repetitions before a run.
    @usableFromInline
    struct RunHistory: Sendable {
        @usableFromInline var repetitions = 0
        /// How many runs in a row have failed.
        @usableFromInline var failures = 0
        /// The delay between this run and the one before.
        @usableFromInline var delay: Duration?

        @inlinable init() {}

        @inlinable
        func next(hasFailed: Bool, _ delay: Duration?) -> RunHistory {
            var past = self
            past.repetitions += 1
            past.failures = hasFailed ? past.failures + 1 : 0
            past.delay = delay
            return past
        }
    }

    @usableFromInline
    init(
        on scheduler: Scheduler, _ wanted: Traits, _ maximum: Int?, file: StaticString = #fileID, line: UInt = #line,
        decide: @escaping @Sendable (Result<Value, any Error>, RunHistory) throws -> Decision
    ) {
        maximum?.checkRepetitions(file, line)
        self.scheduler = scheduler
        self.wanted = wanted
        self.maximum = maximum
        self.decide = decide
    }
}

extension Error {
    /// Whether further runs would fail, too: the run was cancelled, or its queue is closed.
    @usableFromInline
    var isFinal: Bool { self is CancellationError || self as? QueueError == .closed }
}

extension Duration {
    /// Returns this delay of a repetition without a limit, after `failures` failures in a row: without a delay, each
    /// repetition after the hundredth waits for 100 ms.
    func paced(after failures: Int) -> Duration { self > .zero || failures <= 100 ? self : .milliseconds(100) }
}

extension Result where Failure == any Error {
    /// The error; the result must be a failure.
    @inlinable
    var failure: any Error {
        guard case .failure(let error) = self else { preconditionFailure("The result is not a failure.") }
        return error
    }

    /// Whether this is an error after which further runs would fail, too.
    @inlinable
    var isFinal: Bool {
        if case .failure(let error) = self { error.isFinal } else { false }
    }
}

extension Int {
    /// Traps if this is a negative number of repetitions.
    func checkRepetitions(_ file: StaticString, _ line: UInt) {
        guard self < 0 else { return }
        fatalError(
            "maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.", file: file, line: line)
    }
}

extension Repetition {
    /// The next action after the result of the run to which `node` listens. A step for a further run is called when
    /// this one has returned: by then, the chain waits for it, so that a cancel of the chain reaches it.
    ///
    /// - Parameters:
    ///   - past: The repetitions before that run.
    ///   - pass: Called once with the result of each run. Returns what is passed on if that run is the last one.
    @inlinable
    func step<T>(
        _ node: Node, after past: RunHistory,
        _ pass: @escaping @Sendable (Result<Value, any Error>) -> Result<T, any Error>
    ) throws -> Next<T> {
        let result = node.arrived.result(as: Value.self)
        let last = pass(result)
        let hasFailed = if case .failure = result { true } else { false }
        guard past.repetitions < maximum ?? .max, wanted.contains(hasFailed ? .errors : .values),
            case .again(let delay, let answer, let isReplacing)? = try? decide(result, past)
        else { return .result(last) }
        let next = past.next(hasFailed: hasFailed, delay)
        // What the next run waits for: it starts if the value is true, an error replaces the result.
        let wait =
            if let answer {
                answer.step(on: .inPlace, .results) { answer in
                    guard case .success(let isTrue) = answer else {
                        return isReplacing ? .result(answer) : .value(false)
                    }
                    guard isTrue, let pause = pause(next) else { return .result(answer) }
                    return .future(pause)
                }
            } else {
                pause(next)
            }
        // Read from the node: a closure that captured it would retain its result, too.
        let run = Future<Value>(sourceOf: node)
        guard let wait else {
            // The predicate is user code: the chain may have been cancelled meanwhile.
            guard !node.hasSettled else { return .error(CancellationError()) }
            return .future(again(run.rerun(), next, pass))
        }
        // Until it is called, this step retains the run, and so its result.
        return .future(
            wait.stepOfNode(on: .inPlace, .results, servedNext: true) { node in
                try node.arrived.result(as: Bool.self).get()
                    ? .future(again(run.rerun(), next, pass)) : .result(last)
            })
    }

    @inlinable
    func again<T>(
        _ run: Future<Value>, _ past: RunHistory,
        _ pass: @escaping @Sendable (Result<Value, any Error>) -> Result<T, any Error>
    ) -> Future<T> {
        run.stepOfNode(on: scheduler, wanted, servedNext: true) { try step($0, after: past, pass) }
    }

    /// Returns a future that the next run has to wait for: its delay or pause, or a turn of the scheduler's other work.
    @usableFromInline
    func pause(_ past: RunHistory) -> Future<Bool>? {
        var delay = past.delay ?? .zero
        if maximum == nil { delay = delay.paced(after: past.failures) }
        if delay > .zero { return Future<Bool>(true).delay(by: delay, on: scheduler).map(on: scheduler) { $0 } }
        return scheduler.yield(after: past.repetitions, with: true)
    }
}

extension Future {
    /// Returns a future of this run's result, or of that of its repetitions. The recursion takes no stack and no
    /// memory, like that of every `flatMap`; a repetition of the whole counts from 0.
    @inlinable
    func repeating(_ repetition: Repetition<Value>) -> Future {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { try repetition.step($0, after: .init()) { $0 } }
    }
}
