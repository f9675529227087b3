// Closures of the wrong shape, as in the guide "When the compiler complains": a value for a future, and others.
import Futures

func load() -> Future<Int> { .never }
func page(_ number: Int) -> Future<Page> { .never }
func fetch() async throws -> Page { Page() }
struct Page: Sendable { var title = "" }

func shapes(_ queue: FutureQueue<Void>, _ number: Future<Int>, _ promise: Promise<Int>) {
    // error: cannot convert value of type 'Int' to closure result type 'Future<Int>'
    // instead: let _: Future<Int> = queue.run { 5 }
    let _: Future<Int> = queue.enqueue { 5 }
    // error: cannot convert value of type '()' to closure result type 'Future<T>'
    // instead: _ = queue.run { print("done") }
    queue.enqueue { print("done") }
    // error: cannot pass function of type '@Sendable () async throws -> Page' to parameter expecting synchronous
    // instead: let _: Future<Page> = queue.run { try await fetch() }
    let _: Future<Page> = queue.enqueue { try await fetch() }
    // error: generic parameter 'T' could not be inferred
    // instead: _ = queue.run { try await fetch() }
    queue.enqueue { try await fetch() }
    // error: cannot convert value of type 'Future<Int>' to closure result type 'Int'
    // instead: let _: Future<Int> = queue.enqueue { load() }
    let _: Future<Int> = queue.run { load() }
    // error: cannot convert value of type 'Int' to closure result type 'Future<Int>'
    // instead: let _: Future<Int> = number.map { $0 + 1 }
    let _: Future<Int> = number.flatMap { $0 + 1 }
    // error: cannot convert value of type 'Future<Page>' to closure result type 'Page'
    // instead: let _: Future<Page> = number.flatMap { page($0) }
    let _: Future<Page> = number.map { page($0) }
    // error: value of type 'Future<Page>' has no member 'title'
    // instead: let _: Future<String> = number.flatMap { page($0) }.map { $0.title }
    let _: Future<String> = number.map { page($0) }.map { $0.title }
    // error: cannot pass function of type '@Sendable (Int) async throws -> Page' to parameter expecting synchronous
    // instead: let _: Future<Page> = number.flatMap { _ in Future { try await fetch() } }
    let _: Future<Page> = number.flatMap { _ in try await fetch() }
    // error: cannot convert value of type 'Future<Int>' to closure result type 'Int'
    // instead: let _: Future<Int> = number.flatMapError { _ in load() }
    let _: Future<Int> = number.recover { _ in load() }
    // error: cannot convert value of type 'Int' to expected argument type 'Result<Int, any Error>'
    // instead: promise.succeed(1)
    promise.complete(1)
    // error: referencing instance method 'succeed()' on 'Promise' requires the types 'Int' and '()' be equivalent
    // instead: promise.succeed(1)
    promise.succeed()
    // error: cannot convert value of type 'Void' to closure result type 'any Disposable'
    // instead: let _: Future<Int> = Future { completion in completion(.success(1)); return NilDisposer() }
    let _: Future<Int> = Future { completion in completion(.success(1)) }
}

func enqueueWithoutReturn(_ queue: FutureQueue<Void>) {
    // error: generic parameter 'T' could not be inferred
    queue.enqueue {
        print("loads")
        // instead: return load().onValue { print($0) }
        load().onValue { print($0) }
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

func cleanUpWithoutParameters(_ queue: FutureQueue<Void>) -> Future<Int> {
    queue.run {
        1
        // error: contextual type for closure argument list expects 2 arguments, which cannot be implicitly ignored
        // instead: } finally: { _, _ in
    } finally: {
        print("done")
    }
}
