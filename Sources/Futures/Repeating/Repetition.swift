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
        file: StaticString = #fileID, line: UInt = #line,
        decide: @escaping @Sendable (Result<Value, any Error>, Past) throws -> Verdict
    ) {
        guard maximum ?? 0 >= 0 else {
            fatalError(
                "maxRepetitions must not be negative. Use 0 for no repetition, nil for no limit.", file: file,
                line: line)
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

/// What becomes of the result of a run.
@usableFromInline
enum Course<Past: Sendable> {
    /// It is passed on.
    case stop
    /// The repetition fails instead.
    case fail(any Error)
    /// The next run follows at once.
    case again(Past)
    /// The next run follows if that is true; if it is not, or fails, the result is passed on.
    case later(Future<Bool>, Past)
}

extension Repetition {
    @inlinable
    func course(after result: Result<Value, any Error>, _ past: Past) -> Course<Past> {
        if past.repetitions == 0, let onFirst { onFirst() }
        guard past.repetitions < maximum, wants(result) else { return .stop }
        let verdict: Verdict
        do { verdict = try decide(result, past) } catch { return .stop }
        switch verdict {
        case .stop: return .stop
        case .fail(let error): return .fail(error)
        case .again(let delay):
            let past = past.next(after: delay)
            if let pause = pause(past) { return .later(pause, past) }
            return .again(past)
        case .ask(let answer, let delay):
            let past = past.next(after: delay)
            return .later(
                answer.step(on: .inPlace, .values) { answer in
                    guard try answer.get(), let pause = pause(past) else { return .result(answer) }
                    return .future(pause)
                }, past)
        }
    }

    /// What a run that has such a past waits for, if it does.
    @usableFromInline
    func pause(_ past: Past) -> Future<Bool>? {
        if let delay = past.delay, delay > .zero { return Future<Bool>(true).delay(by: delay, on: scheduler) }
        guard past.repetitions.isMultiple(of: Self.patience), scheduler != .immediate else { return nil }
        // Runs that complete at once would keep the scheduler for themselves.
        let promise = Promise<Bool>()
        scheduler.async { promise.succeed(true) }
        return promise.future
    }

    /// What `again` makes of the next run, once `wait` is true. Until then the run that it repeats is kept, with its
    /// result.
    @inlinable
    func later<T>(
        _ wait: Future<Bool>, _ run: Node, else pass: Result<T, any Error>,
        again: @escaping @Sendable (Future<Value>) -> Future<T>
    ) -> Next<T> {
        .future(
            wait.step(on: .inPlace, .results) { answer in
                guard case .success(true) = answer else { return .result(pass) }
                return .future(again(Future(node: run.rerun())))
            })
    }
}

extension Future {
    /// What this run ends with, or else the next one. The recursion is space-safe as every flatMap's is, and a
    /// repetition of the whole begins to count at 0.
    @inlinable
    func repeating(_ repetition: Repetition<Value>, _ past: Repetition<Value>.Past = .init()) -> Future {
        stepOfNode(on: repetition.scheduler, repetition.wanted) { node in
            let result = node.arrived.result(as: Value.self)
            // Read from the node: a closure that kept it would keep its result, too.
            let run = node.source!.takeUnretainedValue()
            switch repetition.course(after: result, past) {
            case .stop: return .result(result)
            case .fail(let error): return .error(error)
            case .again(let past): return .future(Future(node: run.rerun()).repeating(repetition, past))
            case .later(let wait, let past):
                return repetition.later(wait, run, else: result) { $0.repeating(repetition, past) }
            }
        }
    }
}

extension Future {
    /// The core's `step`, but its closure sees the node, and so the run that it may repeat.
    @inlinable
    func stepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        let node = unattachedStep(on: scheduler, wanted, next)
        node.attach()
        return Future<T>(node: node)
    }

    /// The same, to be called in a transform that returns it: if this has completed, its closure is called once that
    /// has returned. So what waits for it knows it by then, and a cancel that comes meanwhile finds it.
    @inlinable
    func nextStepOfNode<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Future<T> {
        let step = unattachedStep(on: scheduler, wanted, next)
        node.addServedNext(step)
        return Future<T>(node: step)
    }

    @inlinable
    func unattachedStep<T>(
        on scheduler: Scheduler, _ wanted: Traits, _ next: @escaping @Sendable (Node) throws -> Next<T>
    ) -> Node {
        Node(source: node, on: scheduler, wanted, .stepping(next)) { node, _ in
            if let inner = node.inner { return node.finish(as: inner, T.self) }
            do {
                switch try node.closure.stepping(T.self)(node) {
                case .value(let value): node.finish(value)
                case .future(let future): node.wait(for: future)
                case .error(let error): node.finish(error: error)
                }
            } catch {
                node.finish(error: error)
            }
        }
    }
}

extension Node {
    /// Adds a listener, whose closure is called, if this has completed, once the job in progress has returned.
    @usableFromInline
    func addServedNext(_ step: Node) {
        if add(step) == .settled { ThreadState.here.serveNext(JobList(step)) }
    }
}
