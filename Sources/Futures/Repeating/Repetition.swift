// Repetition: the common part of the operators that repeat a future.

/// When, after which delay and how often a future is repeated.
@usableFromInline
package struct Repetition<Value: Sendable>: Sendable {
    /// A decision about a result.
    @usableFromInline
    package enum Decision: Sendable {
        /// Pass the result on.
        case stop
        /// Repeat the future after the delay; if there is an answer to wait for, only if that is true. If it is false,
        /// pass the result on, and if it is an error, that error.
        case again(after: Duration? = nil, if: Future<Bool>? = nil)

        /// Repeat the future if the answer of a predicate is true. Its error counts as false.
        @inlinable
        static func again(ifTrue answer: Future<Bool>) -> Decision {
            .again(if: answer.step(on: .inPlace, .errors) { .value((try? $0.get()) ?? false) })
        }
    }

    @usableFromInline let scheduler: Scheduler
    /// The results for which `decide` is called; others are passed on.
    @usableFromInline let wanted: Traits
    /// The maximum number of repetitions; nil for no limit. Without a limit, those of failures are paced.
    @usableFromInline let maximum: Int?
    /// Called on the scheduler with a result and the number of repetitions before it. If it throws, the result is
    /// passed on.
    @usableFromInline let decide: @Sendable (Result<Value, any Error>, Int) throws -> Decision

    @usableFromInline
    package init(
        on scheduler: Scheduler, _ wanted: Traits, _ maximum: Int?, file: StaticString = #fileID, line: UInt = #line,
        decide: @escaping @Sendable (Result<Value, any Error>, Int) throws -> Decision
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
    package var isFinal: Bool { self is CancellationError || self as? QueueError == .closed }
}

extension Duration {
    /// Returns this delay of a repetition without a limit, after a failure: without a delay, each repetition after the
    /// hundredth waits for 100 ms.
    @usableFromInline
    func paced(_ repetition: Int) -> Duration { self > .zero || repetition <= 100 ? self : .milliseconds(100) }
}

extension Result where Failure == any Error {
    /// The error; the result must be a failure.
    @inlinable
    package var failure: any Error {
        guard case .failure(let error) = self else { preconditionFailure("The result is not a failure.") }
        return error
    }

    /// Whether this is an error after which further runs would fail, too.
    @inlinable
    package var isFinal: Bool {
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
    ///   - repetitions: The number of repetitions before that run.
    ///   - pass: Called once with the result of each run. Returns what is passed on if that run is the last one.
    @inlinable
    func step<T>(
        _ node: Node, after repetitions: Int = 0,
        _ pass: @escaping @Sendable (Result<Value, any Error>) -> Result<T, any Error>
    ) throws -> Next<T> {
        let result = node.arrived.result(as: Value.self)
        let last = pass(result)
        let hasFailed = if case .failure = result { true } else { false }
        guard repetitions < maximum ?? .max, wanted.contains(hasFailed ? .errors : .values),
            case .again(let asked, let answer)? = try? decide(result, repetitions)
        else { return .result(last) }
        let next = repetitions + 1
        let delay = maximum == nil && hasFailed ? (asked ?? .zero).paced(next) : asked ?? .zero
        // What the next run waits for: it starts if the value is true, an error replaces the result.
        let wait =
            if let answer {
                answer.step(on: .inPlace, .values) { answer in
                    guard try answer.get(), let pause = pause(for: delay, next) else { return .result(answer) }
                    return .future(pause)
                }
            } else {
                pause(for: delay, next)
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
        _ run: Future<Value>, _ repetitions: Int,
        _ pass: @escaping @Sendable (Result<Value, any Error>) -> Result<T, any Error>
    ) -> Future<T> {
        run.stepOfNode(on: scheduler, wanted, servedNext: true) { try step($0, after: repetitions, pass) }
    }

    /// Returns a future that a repetition has to wait for: a delay, or a turn of the scheduler's other work.
    @usableFromInline
    func pause(for delay: Duration, _ repetition: Int) -> Future<Bool>? {
        if delay > .zero { return Future<Bool>(true).delay(by: delay, on: scheduler).map(on: scheduler) { $0 } }
        return scheduler.yield(after: repetition, with: true)
    }
}

extension Future {
    /// Returns a future of this run's result, or of that of its repetitions. The recursion takes no stack and no
    /// memory, like that of every `flatMap`; a repetition of the whole counts from 0.
    @inlinable
    package func repeating(_ repetition: Repetition<Value>) -> Future {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { try repetition.step($0) { $0 } }
    }
}

extension Future {
    /// Returns a future that runs this future's operation and all its steps again (`Node.rerun`).
    @inlinable
    func rerun() -> Future { Future(node: node.rerun()) }

    /// The future to which a step listens: `node` is that of a step that `stepOfNode` has created.
    @inlinable
    init(sourceOf node: Node) { self.init(node: node.source!.takeUnretainedValue()) }
}
