// Program: actions on futures, for the library and the model alike.

/// One step. Indices count modulo the number of futures or promises, so that any part of a program is valid.
indirect enum Step: Sendable {
    case promise
    case never
    /// A future with an operation, whose completion is added to the promises. Its disposable runs the steps.
    case operation([Step])
    case complete(promise: Int, Outcome)
    /// Releases the promise without completing it.
    case drop(promise: Int)
    case dropFuture(Int)
    case cancel(Int)
    case map(Int, Wants, Body)
    case flatMap(Int, Wants, Body, returning: Int)
    case observe(Int, Wants, Body)
    case onCancel(Int, [Step])
    case always(Int, [Step])
    case join([Int], cancelNonCompleted: Bool)
    case select([Int])
}

/// Which results a closure is called for.
enum Wants: Sendable, CaseIterable {
    case values, errors, results

    func contains(_ outcome: Outcome) -> Bool {
        switch self {
        case .values: outcome.isValue
        case .errors: !outcome.isValue
        case .results: true
        }
    }
}

/// The actions of a closure before it returns.
struct Body: Sendable {
    var steps: [Step] = []
    var fails = false
}

/// The actions on futures, implemented by the library and by the model.
protocol Machine: SendableMetatype {
    associatedtype FutureType
    associatedtype PromiseType

    func promise() -> (FutureType, PromiseType)
    func never() -> FutureType
    func operation(_ dispose: @escaping @Sendable () -> Void) -> (FutureType, PromiseType)
    func complete(_ promise: PromiseType, _ outcome: Outcome)
    func abandon(_ promise: PromiseType)
    func outcome(of future: FutureType) -> Outcome?
    func cancel(_ future: FutureType)
    func map(_ future: FutureType, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome) -> FutureType
    func flatMap(
        _ future: FutureType, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Returned<FutureType>
    ) -> FutureType
    func observe(_ future: FutureType, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome?) -> FutureType
    func onCancel(_ future: FutureType, _ body: @escaping @Sendable () -> Void) -> FutureType
    func always(_ future: FutureType, _ body: @escaping @Sendable () -> Void) -> FutureType
    func join(_ futures: [FutureType], cancelNonCompleted: Bool) -> FutureType
    func select(_ futures: [FutureType]) -> FutureType
}

enum Returned<FutureType> {
    case future(FutureType)
    case error(Int)
}

enum Entry: Equatable, Sendable {
    case called(closure: Int, Outcome?)
    case disposed(closure: Int)
    /// The results of all referenced futures after a step.
    case state([Outcome?])
}

/// Runs programs on a machine. Every closure retains the interpreter, so leaks are detected.
// Safe to share: everything happens on one thread.
final class Interpreter<M: Machine>: @unchecked Sendable {
    private let machine: M
    private var futures: [M.FutureType?] = []
    private var promises: [M.PromiseType?] = []
    private var closureCount = 0
    private let log: (Entry) -> Void
    private var isOver = false

    init(_ machine: M, log: @escaping (Entry) -> Void) {
        self.machine = machine
        self.log = log
    }

    func run(_ program: [Step]) {
        for step in program {
            run(step)
            log(.state(futures.map { $0.flatMap(machine.outcome) }))
        }
    }

    /// Releases everything. Callbacks do nothing any more.
    func clear() {
        isOver = true
        // The futures first: releasing the promises calls closures, which then find no futures.
        let last = promises
        (futures, promises) = ([], [])
        withExtendedLifetime(last) {}
    }

    private func run(_ step: Step) {
        guard !isOver else { return }
        switch step {
        case .promise: add(machine.promise())
        case .never: add(machine.never())
        case .operation(let steps):
            let id = nextClosure()
            add(machine.operation { self.dispose(id, steps) })
        case .complete(let index, let outcome):
            guard let promise = promise(index) else { return }
            machine.complete(promise, outcome)
        case .drop(let index):
            guard let promise = promise(index) else { return }
            promises[index % promises.count] = nil
            machine.abandon(promise)
        case .dropFuture(let index):
            guard !futures.isEmpty else { return }
            futures[index % futures.count] = nil
        case .cancel(let index):
            guard let future = future(index) else { return }
            machine.cancel(future)
        default: attach(step)
        }
    }

    private func attach(_ step: Step) {
        let id = nextClosure()
        switch step {
        case .map(let index, let wants, let body):
            guard let future = future(index) else { return }
            add(machine.map(future, wants) { self.call(id, $0, body) ?? $0.successor })
        case .flatMap(let index, let wants, let body, let returned):
            guard let future = future(index) else { return }
            add(
                machine.flatMap(future, wants) { outcome in
                    if let error = self.call(id, outcome, body) { return .error(error.number) }
                    return self.future(returned).map(Returned.future) ?? .error(-1)
                })
        case .observe(let index, let wants, let body):
            guard let future = future(index) else { return }
            add(machine.observe(future, wants) { self.call(id, $0, body) })
        case .onCancel(let index, let steps):
            guard let future = future(index) else { return }
            add(machine.onCancel(future) { self.call(id, steps) })
        case .always(let index, let steps):
            guard let future = future(index) else { return }
            add(machine.always(future) { self.call(id, steps) })
        case .join(let indices, let cancelNonCompleted):
            add(machine.join(indices.compactMap(future), cancelNonCompleted: cancelNonCompleted))
        case .select(let indices):
            let futures = indices.compactMap(future)
            if !futures.isEmpty { add(machine.select(futures)) }
        default: break
        }
    }

    private func call(_ id: Int, _ outcome: Outcome, _ body: Body) -> Outcome? {
        log(.called(closure: id, outcome))
        for step in body.steps { run(step) }
        return body.fails ? .error(id) : nil
    }

    private func call(_ id: Int, _ steps: [Step]) {
        log(.called(closure: id, nil))
        for step in steps { run(step) }
    }

    private func dispose(_ id: Int, _ steps: [Step]) {
        log(.disposed(closure: id))
        for step in steps { run(step) }
    }

    private func nextClosure() -> Int {
        closureCount += 1
        return closureCount
    }

    private func add(_ pair: (M.FutureType, M.PromiseType)) {
        add(pair.0)
        promises.append(pair.1)
    }

    private func add(_ future: M.FutureType) { futures.append(future) }

    private func future(_ index: Int) -> M.FutureType? { futures.isEmpty ? nil : futures[index % futures.count] }

    private func promise(_ index: Int) -> M.PromiseType? {
        promises.isEmpty ? nil : promises[index % promises.count]
    }
}

extension Outcome {
    fileprivate var successor: Outcome {
        if case .value(let value) = self { .value(value &+ 1) } else { .value(0) }
    }
    fileprivate var number: Int { if case .error(let number) = self { number } else { 0 } }
}
