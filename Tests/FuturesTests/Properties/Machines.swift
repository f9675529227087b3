// Machines: the library and the model, on which programs run.

import Futures

/// The library, with everything on `.immediate`.
struct Library: Machine {
    struct Failure: Error {
        let number: Int
    }

    enum Completer {
        case promise(Promise<Int>)
        case completion(Future<Int>.Completion)
    }

    func promise() -> (Future<Int>, Completer) {
        let promise = Promise<Int>()
        return (promise.future, .promise(promise))
    }

    func never() -> Future<Int> { .never }

    func operation(_ dispose: @escaping @Sendable () -> Void) -> (Future<Int>, Completer) {
        nonisolated(unsafe) var completion: Future<Int>.Completion?
        let future = Future<Int>(on: .immediate) {
            completion = $0
            return Disposer(dispose)
        }
        defer { completion = nil }
        return (future, .completion(completion!))
    }

    func complete(_ completer: Completer, _ outcome: Outcome) {
        let result: Result<Int, any Error> =
            if case .value(let value) = outcome { .success(value) } else { .failure(outcome.error) }
        switch completer {
        case .promise(let promise): promise.complete(result)
        case .completion(let completion): completion(result)
        }
    }

    /// Releases the last reference, which is the caller's.
    func abandon(_ completer: consuming Completer) {}

    func outcome(of future: Future<Int>) -> Outcome? {
        let result = future.result
        precondition(future.isCompleted == (result != nil))
        return result.map(Outcome.init)
    }

    func cancel(_ future: Future<Int>) { future.cancel() }

    func map(_ future: Future<Int>, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome) -> Future<Int> {
        switch wants {
        case .values: future.map(on: .immediate) { try body(.value($0)).get() }
        case .errors: future.recover(on: .immediate) { try body(Outcome(.failure($0))).get() }
        case .results: future.mapResult(on: .immediate) { try body(Outcome($0)).get() }
        }
    }

    func flatMap(
        _ future: Future<Int>, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Returned<Future<Int>>
    ) -> Future<Int> {
        @Sendable func call(_ outcome: Outcome) throws -> Future<Int> {
            switch body(outcome) {
            case .future(let future): return future
            case .error(let number): throw Failure(number: number)
            }
        }
        return switch wants {
        case .values: future.flatMap(on: .immediate) { try call(.value($0)) }
        case .errors: future.flatMapError(on: .immediate) { try call(Outcome(.failure($0))) }
        case .results: future.flatMapResult(on: .immediate) { try call(Outcome($0)) }
        }
    }

    func observe(
        _ future: Future<Int>, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome?
    ) -> Future<Int> {
        switch wants {
        case .values: future.onValue(on: .immediate) { _ = try body(.value($0))?.get() }
        case .errors: future.onError(on: .immediate) { _ = try body(Outcome(.failure($0)))?.get() }
        case .results: future.onResult(on: .immediate) { _ = try body(Outcome($0))?.get() }
        }
    }

    func onCancel(_ future: Future<Int>, _ body: @escaping @Sendable () -> Void) -> Future<Int> {
        future.onCancel(on: .immediate, body)
    }

    func always(_ future: Future<Int>, _ body: @escaping @Sendable () -> Void) -> Future<Int> {
        future.always(on: .immediate, body)
    }

    func join(_ futures: [Future<Int>], cancelNonCompleted: Bool) -> Future<Int> {
        Futures.join(futures, cancelNonCompleted: cancelNonCompleted)
            .map(on: .immediate) { $0.reduce(0, &+) }
    }

    func select(_ futures: [Future<Int>]) -> Future<Int> { Futures.select(between: futures) }
}

extension Outcome {
    fileprivate init(_ result: Result<Int, any Error>) {
        switch result {
        case .success(let value): self = .value(value)
        case .failure(let error as Library.Failure): self = .error(error.number)
        case .failure(is CancellationError): self = .cancelled
        case .failure(FutureError.abandoned): self = .abandoned
        case .failure(FutureError.awaitsItself): self = .awaitsItself
        case .failure(let error): fatalError("unexpected error \(error)")
        }
    }

    fileprivate var error: any Error {
        switch self {
        case .value, .awaitsItself, .abandoned: fatalError("\(self) is not for programs")
        case .error(let number): Library.Failure(number: number)
        case .cancelled: CancellationError()
        }
    }

    fileprivate func get() throws -> Int {
        guard case .value(let value) = self else { throw error }
        return value
    }
}

extension Model: Machine {
    func promise() -> (ModelFuture, ModelFuture) {
        let future: ModelFuture = promise()
        return (future, future)
    }

    func operation(_ dispose: @escaping @Sendable () -> Void) -> (ModelFuture, ModelFuture) {
        let future = operation { _ in dispose }
        return (future, future)
    }

    func abandon(_ future: ModelFuture) { complete(future, .abandoned) }

    func outcome(of future: ModelFuture) -> Outcome? { future.outcome }

    func map(_ future: ModelFuture, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome) -> ModelFuture {
        step(from: future, wants: wants.contains) { .outcome(body($0)) }
    }

    func flatMap(
        _ future: ModelFuture, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Returned<ModelFuture>
    ) -> ModelFuture {
        step(from: future, wants: wants.contains) {
            switch body($0) {
            case .future(let future): .future(future)
            case .error(let number): .outcome(.error(number))
            }
        }
    }

    func observe(
        _ future: ModelFuture, _ wants: Wants, _ body: @escaping @Sendable (Outcome) -> Outcome?
    ) -> ModelFuture { step(from: future, wants: wants.contains) { .outcome(body($0) ?? $0) } }

    func onCancel(_ future: ModelFuture, _ body: @escaping @Sendable () -> Void) -> ModelFuture {
        step(from: future, wants: { $0 == .cancelled }, cancelHandler: body) {
            body()
            return .outcome($0)
        }
    }

    func always(_ future: ModelFuture, _ body: @escaping @Sendable () -> Void) -> ModelFuture {
        step(from: future, cancelHandler: body) {
            body()
            return .outcome($0)
        }
    }

    func join(_ futures: [ModelFuture], cancelNonCompleted: Bool) -> ModelFuture {
        guard !futures.isEmpty else { return map(settled(.value(0)), .values) { $0 } }
        let joined: ModelFuture = join(all: futures, cancelNonCompleted: cancelNonCompleted)
        return map(joined, .values) { $0 }
    }

    private func settled(_ outcome: Outcome) -> ModelFuture {
        let future: ModelFuture = promise()
        complete(future, outcome)
        return future
    }
}
