// Closures of the wrong shape: a value for a future, asynchronous for synchronous, too many or too few parameters.
import Futures

func load() -> Future<Int> { .never }
func page(_ number: Int) -> Future<Page> { .never }
func fetch() async throws -> Page { Page() }
func prepare() async {}
struct Page: Sendable { var title = "" }

// Queues: a closure of enqueue returns a future.

func enqueueAValue(_ queue: FutureQueue<Void>) -> Future<Int> {
    // error: cannot convert value of type 'Int' to closure result type 'Future<Int>'
    // instead: queue.run { 5 }
    queue.enqueue { 5 }
}

func enqueueNothing(_ queue: FutureQueue<Void>) {
    // error: cannot convert value of type '()' to closure result type 'Future<T>'
    // instead: _ = queue.run { print("done") }
    queue.enqueue { print("done") }
}

func enqueueAsynchronousCode(_ queue: FutureQueue<Void>) -> Future<Page> {
    // error: cannot pass function of type '@Sendable () async throws -> Page' to parameter expecting synchronous
    // instead: queue.run { try await fetch() }
    queue.enqueue { try await fetch() }
}

func enqueueAsynchronousCodeWithoutResult(_ queue: FutureQueue<Void>) {
    // error: generic parameter 'T' could not be inferred
    // instead: _ = queue.run { try await fetch() }
    queue.enqueue { try await fetch() }
}

func enqueueBehindAwait(_ queue: FutureQueue<Void>) {
    // error: cannot pass function of type '@Sendable () async -> Future<Int>' to parameter expecting synchronous
    // instead: _ = queue.run {
    queue.enqueue {
        await prepare()
        return load()
    }
}

func enqueueAFutureItself(_ queue: FutureQueue<Void>) -> Future<Int> {
    // error: cannot convert value of type 'Future<Int>' to expected argument type '@isolated(any) @Sendable (Void)
    // instead: queue.enqueue { load() }
    queue.enqueue(load())
}

func enqueueWithoutReturn(_ queue: FutureQueue<Void>) {
    // error: generic parameter 'T' could not be inferred
    queue.enqueue {
        print("loads")
        // instead: return load().onValue { print($0) }
        load().onValue { print($0) }
    }
}

func enqueueBatchWithoutReturn(_ queue: FutureQueue<Void>) {
    // error: generic parameter 'T' could not be inferred
    queue.batch.enqueue { batch in
        batch.enqueue { load() }
        // instead: return batch.enqueue { load() }
        batch.enqueue { load() }
    }
}

@MainActor final class Screen {
    let queue = FutureQueue()

    func enqueueWeakly() {
        // error: cannot convert value of type 'Future<Int>?' to closure result type 'Future<Int>'
        // instead: queue.enqueue { [weak self] in try self.unwrapped().load() }
        queue.enqueue { [weak self] in self?.load() }
    }

    func load() -> Future<Int> { Future(1) }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw CancellationError() }
        return self
    }
}

func runAFuture(_ queue: FutureQueue<Void>) -> Future<Int> {
    // error: cannot convert value of type 'Future<Int>' to closure result type 'Int'
    // instead: queue.enqueue { load() }
    queue.run { load() }
}

func runAFutureInAChain(_ queue: FutureQueue<Void>) -> Future<Int> {
    // error: cannot convert value of type 'Future<Int>' to expected argument type 'Int'
    // instead: queue.enqueue { load() }.map { $0 + 1 }
    queue.run { load() }.map { $0 + 1 }
}

func cleanUpWithoutParameters(_ queue: FutureQueue<Void>) -> Future<Int> {
    queue.run {
        1
        // error: contextual type for closure argument list expects 2 arguments, which cannot be implicitly ignored
        // instead: } finally: { _, _ in
    } finally: {
        print("done")
    }
}

func cleanUpWithOneParameter(_ queue: FutureQueue<Void>) -> Future<Int> {
    queue.run {
        1
        // error: expects 2 arguments, but 1 was used in closure body
        // instead: } finally: { _, result in
    } finally: { result in
        print(result)
    }
}

func cleanUpAValue(_ queue: FutureQueue<Void>) {
    // error: generic parameter 'T' could not be inferred
    // instead: _ = queue.run {
    queue.enqueue {
        1
    } finally: { _, _ in
        // instead: await prepare()
        Future()
    }
}

// Operators.

func flatMapToAValue(_ number: Future<Int>) -> Future<Int> {
    // error: cannot convert value of type 'Int' to closure result type 'Future<Int>'
    // instead: number.map { $0 + 1 }
    number.flatMap { $0 + 1 }
}

func mapToAFuture(_ number: Future<Int>) -> Future<Page> {
    // error: cannot convert value of type 'Future<Page>' to closure result type 'Page'
    // instead: number.flatMap { page($0) }
    number.map { page($0) }
}

func mapToAFutureInAChain(_ number: Future<Int>) -> Future<String> {
    // error: value of type 'Future<Page>' has no member 'title'
    // instead: number.flatMap { page($0) }.map { $0.title }
    number.map { page($0) }.map { $0.title }
}

func mapAsynchronously(_ number: Future<Int>) -> Future<Page> {
    // error: cannot pass function of type '@Sendable (Int) async throws -> Page' to parameter expecting synchronous
    // instead: number.flatMap { _ in Future { try await fetch() } }
    number.map { _ in try await fetch() }
}

func flatMapAsynchronously(_ number: Future<Int>) -> Future<Page> {
    // error: cannot pass function of type '@Sendable (Int) async throws -> Page' to parameter expecting synchronous
    // instead: number.flatMap { _ in Future { try await fetch() } }
    number.flatMap { _ in try await fetch() }
}

func recoverWithAFuture(_ number: Future<Int>) -> Future<Int> {
    // error: cannot convert value of type 'Future<Int>' to closure result type 'Int'
    // instead: number.flatMapError { _ in load() }
    number.recover { _ in load() }
}

func recoverWithNothing(_ number: Future<Int>) -> Future<Int> {
    // error: cannot convert value of type '()' to closure result type 'Int'
    // instead: number.onError { print($0) }
    number.recover { print($0) }
}

func repeatWithoutAnAnswer(_ number: Future<Int>) -> Future<Int> {
    // error: cannot convert value of type '()' to closure result type 'Bool'
    // instead: number.onError { error in print(error) }.onErrorRepeat()
    number.onErrorRepeat { error in print(error) }
}

func observeWithTwoParameters(_ number: Future<Int>) {
    // error: expects 1 argument, but 2 were used in closure body
    // instead: number.onResult { result in print(result) }
    number.onResult { value, error in print(value) }
}

func observeWithTwoClosures(_ number: Future<Int>) {
    number.onValue {
        print($0)
        // error: extra trailing closure passed in call
        // instead: }.onError {
    } onError: {
        print($0)
    }
}

// Sequences.

func mapTheSequence(_ numbers: [Int]) -> Future<[Page]> {
    // error: cannot convert return expression of type '[Future<Page>]' to return type 'Future<[Page]>'
    // instead: numbers.mapToFuture { page($0) }
    numbers.map { page($0) }
}

func traverseToValues(_ numbers: [Int]) -> Future<[Int]> {
    // error: cannot convert value of type 'Int' to closure result type 'Future<Int>'
    // instead: numbers.mapToFuture { Future($0 + 1) }
    numbers.mapToFuture { $0 + 1 }
}

func traverseAsynchronously(_ numbers: [Int]) -> Future<[Page]> {
    // error: cannot pass function of type '@Sendable (Int) async throws -> Page' to parameter expecting synchronous
    // instead: numbers.runEach { _ in try await fetch() }
    numbers.mapToFuture { _ in try await fetch() }
}

// Completions.

func completeWithAValue() -> Future<Int> {
    Future { completion in
        // error: cannot convert value of type 'Int' to expected argument type 'Result<Int, any Error>'
        // instead: completion(.success(1))
        completion(1)
        return NilDisposer()
    }
}

func completeAPromiseWithAValue(_ promise: Promise<Int>) {
    // error: cannot convert value of type 'Int' to expected argument type 'Result<Int, any Error>'
    // instead: promise.succeed(1)
    promise.complete(1)
}

func succeedWithoutAValue(_ promise: Promise<Int>) {
    // error: referencing instance method 'succeed()' on 'Promise' requires the types 'Int' and '()' be equivalent
    // instead: promise.succeed(1)
    promise.succeed()
}

func forgetTheDisposable() -> Future<Int> {
    // error: cannot convert value of type 'Void' to closure result type 'any Disposable'
    // instead: Future { completion in completion(.success(1)); return NilDisposer() }
    Future { completion in completion(.success(1)) }
}
