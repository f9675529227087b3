// Repetition: what all operators of the repeat family share.

/// When, after which delay and how often to run a future again.
@usableFromInline
struct Repetition<Value: Sendable>: Sendable {
    /// What to do with a result.
    @usableFromInline
    enum Verdict: Sendable {
        /// Pass it on.
        case stop
        /// Run again.
        case again(after: Duration?)
        /// Run again if that is true; pass it on if it is not, or fails.
        case ask(Future<Bool>, after: Duration?)
        /// Fail instead.
        case fail(any Error)
    }

    @usableFromInline let scheduler: Scheduler
    /// The results about which `decide` is asked; others are passed on.
    @usableFromInline let wanted: Traits
    @usableFromInline let maximum: Int
    /// Called on the scheduler, with a result and what there was before it. A throw passes on the result.
    @usableFromInline let decide: @Sendable (Result<Value, any Error>, Past) throws -> Verdict
    /// Called in place when the first run is over, whatever its result.
    @usableFromInline let onFirst: (@Sendable () -> Void)?

    /// What there was before a run.
    @usableFromInline
    struct Past: Sendable {
        @usableFromInline var repetitions = 0
        /// Between this run and the one before.
        @usableFromInline var delay: Duration?

        @inlinable init() {}

        @inlinable
        func next(after delay: Duration?) -> Past {
            var past = self
            past.repetitions += 1
            past.delay = delay
            return past
        }
    }

    @usableFromInline
    init(
        on scheduler: Scheduler, _ wanted: Traits, _ maximum: Int?, onFirst: (@Sendable () -> Void)? = nil,
        decide: @escaping @Sendable (Result<Value, any Error>, Past) throws -> Verdict
    ) {
        guard maximum ?? 0 >= 0 else {
            fatalError("maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.")
        }
        self.scheduler = scheduler
        self.wanted = wanted
        self.maximum = maximum ?? .max
        self.onFirst = onFirst
        self.decide = decide
    }

    /// After how many repetitions without a pause other work on the scheduler gets its turn.
    @inlinable static var patience: Int { 64 }

    @inlinable
    func wants(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success: wanted.contains(.values)
        case .failure: wanted.contains(.errors)
        }
    }
}

extension Result where Failure == any Error {
    /// The error; there must be one.
    @inlinable
    var failure: any Error {
        guard case .failure(let error) = self else { preconditionFailure("It has succeeded.") }
        return error
    }
}

extension Repetition {
    /// What becomes of the result of a run: it is passed on, or `again` makes what follows the next one.
    ///
    /// `again` is given the run that it repeats. A closure that kept that would keep its result, too (rule 19); so it is
    /// read from the step's node, and kept only while there is a pause.
    @inlinable
    func next<T>(
        after run: Node, _ result: Result<Value, any Error>, _ past: Past, else pass: Result<T, any Error>,
        again: @escaping @Sendable (Future<Value>, Past) -> Future<T>
    ) -> Next<T> {
        if past.repetitions == 0, let onFirst { onFirst() }
        guard past.repetitions < maximum, wants(result) else { return .result(pass) }
        let verdict: Verdict
        do { verdict = try decide(result, past) } catch { return .result(pass) }
        switch verdict {
        case .stop: return .result(pass)
        case .fail(let error): return .error(error)
        case .again(let delay): return .future(pausing(past.next(after: delay), run, again))
        case .ask(let answer, let delay):
            return .future(
                answer.step(on: .immediate, .results) { answer in
                    guard case .success(true) = answer else { return .result(pass) }
                    return .future(pausing(past.next(after: delay), run, again))
                })
        }
    }

    @inlinable
    func pausing<T>(
        _ past: Past, _ run: Node, _ again: @escaping @Sendable (Future<Value>, Past) -> Future<T>
    ) -> Future<T> {
        let pause: Future<Void>
        if let delay = past.delay, delay > .zero {
            pause = Future<Void>().delay(by: delay, on: scheduler)
        } else if past.repetitions.isMultiple(of: Self.patience), scheduler != .immediate {
            // Runs that complete at once would keep the scheduler for themselves (rule 18).
            let promise = Promise<Void>()
            scheduler.async { promise.succeed() }
            pause = promise.future
        } else {
            return again(Future(node: run.rerun()), past)
        }
        return pause.step(on: .immediate, .values) { _ in .future(again(Future(node: run.rerun()), past)) }
    }
}

extension Future {
    /// What this run ends with, or else the next one. The recursion is space-safe as every flatMap's is, and a
    /// repetition of the whole begins to count at 0.
    @inlinable
    func repeating(_ repetition: Repetition<Value>, _ past: Repetition<Value>.Past = .init()) -> Future {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { node in
            let result = node.arrived.result(as: Value.self)
            let run = node.source!.takeUnretainedValue()
            return repetition.next(after: run, result, past, else: result) { $0.repeating(repetition, $1) }
        }
    }
}

extension Future {
    /// The core's `step`, but its closure sees the node, and so the run that it may repeat.
    @inlinable
    func stepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        Future<T>(
            node: .step(from: node, on: scheduler, wanted, Closure(next)) { node, _ in
                if let inner = node.inner { return node.finish(as: inner, T.self) }
                do {
                    switch try node.closure.body(Node.self, Next<T>.self)(node) {
                    case .value(let value): node.finish(value)
                    case .future(let future): node.wait(for: future)
                    case .error(let error): node.finish(error: error)
                    }
                } catch {
                    node.finish(error: error)
                }
            })
    }
}
