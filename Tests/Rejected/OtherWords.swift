// Words of other libraries: the message says what to write instead.
import Futures

func load() -> Future<Int> { .never }
func page(_ number: Int) -> Future<String> { .never }

func promises(_ number: Future<Int>, _ text: Future<String>, _ numbers: [Future<Int>], _ promise: Promise<Int>) {
    // error: 'then' is unavailable: use flatMap for a closure that returns a future, and map for a value
    // instead: let _: Future<Int> = number.map { $0 * 2 }
    let _: Future<Int> = number.then { $0 * 2 }
    // error: 'then' is unavailable: use flatMap for a closure that returns a future, and map for a value
    // instead: let _: Future<String> = number.flatMap { page($0) }
    let _: Future<String> = number.then { page($0) }
    // error: 'firstly' is unavailable: write the future itself, and chain flatMap to it
    // error: 'done' is unavailable: use onValue
    // instead: load().onValue { print($0) }
    _ = firstly { load() }.done { print($0) }
    // error: 'catch' is unavailable: use onError to observe an error, and recover for a value instead of it
    // instead: number.onError { error in print(error) }
    _ = number.catch { error in print(error) }
    // error: 'ensure' is unavailable: use always; for a condition, throw in map
    // instead: number.always { print("done") }
    _ = number.ensure { print("done") }
    // error: 'finally' is unavailable: use always
    // instead: number.always { print("done") }
    _ = number.finally { print("done") }
    // error: 'when(fulfilled:)' is unavailable: use join(a, b)
    // instead: _ = join(number, text)
    _ = when(fulfilled: number, text)
    // error: 'all' is unavailable: use join(futures)
    // instead: _ = join(numbers)
    _ = Future.all(numbers)
    // error: 'race' is unavailable: use select(between: futures)
    // instead: _ = select(between: numbers)
    _ = Future.race(numbers)
    // error: 'value' is unavailable: use Future(value)
    // instead: let _: Future<Int> = Future(1)
    let _: Future<Int> = Future.value(1)
    // error: 'fulfill' is unavailable: use succeed(value)
    // instead: promise.succeed(1)
    promise.fulfill(1)
    // error: 'reject' is unavailable: use fail(error)
    // instead: promise.fail(CancellationError())
    promise.reject(CancellationError())
    // error: 'retry' is unavailable: use onErrorRepeat(maxRepetitions:), or retry with a RetryPolicy
    // instead: let _: Future<Int> = number.onErrorRepeat(maxRepetitions: 3)
    let _: Future<Int> = number.retry(3)
}

func eventLoops(_ number: Future<Int>, _ text: Future<String>, _ promise: Promise<Int>) async throws {
    // error: 'whenSuccess' is unavailable: use onValue
    // instead: number.onValue { print($0) }
    number.whenSuccess { print($0) }
    // error: 'whenComplete' is unavailable: use onResult
    // instead: number.onResult { result in print(result) }
    number.whenComplete { result in print(result) }
    // error: 'onSuccess' is unavailable: use onValue
    // instead: number.onValue { print($0) }
    _ = number.onSuccess { print($0) }
    // error: 'flatMapThrowing' is unavailable: use map, whose closure may throw
    // instead: let _: Future<Int> = number.map { _ in throw CancellationError() }
    let _: Future<Int> = number.flatMapThrowing { _ in throw CancellationError() }
    // error: 'hop(to:)' is unavailable: pass the scheduler to the next operator, as in map(on: scheduler)
    // instead: number.onValue(on: .main) { print($0) }
    number.hop(to: .main).onValue { print($0) }
    // error: 'and' is unavailable: use join(a, b)
    // instead: _ = join(number, text)
    _ = number.and(text)
    // error: 'cascade(to:)' is unavailable: use promise.complete(with: future)
    // instead: promise.complete(with: number)
    number.cascade(to: promise)
    // error: 'get()' is unavailable: use await future.value, or wait() where there is no async
    // instead: let _: Int = try await number.value
    let _: Int = try await number.get()
}

func combine(_ number: Future<Int>, _ text: Future<String>) {
    // error: 'sink(receiveCompletion:receiveValue:)' is unavailable: use onResult, or onValue and onError
    // instead: number.onResult { print($0) }
    _ = number.sink(receiveCompletion: { _ in print("done") }, receiveValue: { print($0) })
    // error: 'replaceError(with:)' is unavailable: use recover { _ in value }
    // instead: _ = number.recover { _ in 0 }
    _ = number.replaceError(with: 0)
    // error: 'receive(on:)' is unavailable: pass the scheduler to the next operator, as in map(on: scheduler)
    // instead: number.onValue(on: .main) { print($0) }
    number.receive(on: .main).onValue { print($0) }
}

func queuesAndLocks(
    _ queue: FutureQueue<Void>, _ mutex: FutureMutex, _ semaphore: FutureSemaphore, _ lock: FutureReadWriteLock
) throws {
    // error: 'cancelAllOperations()' is unavailable: use cancelAll()
    // instead: queue.cancelAll()
    queue.cancelAllOperations()
    // error: 'addOperation' is unavailable: use run, or enqueue for a closure that returns a future
    // instead: _ = queue.run { print("done") }
    queue.addOperation { print("done") }
    // error: 'withLock' is unavailable: use run, or enqueue for a closure that returns a future
    // instead: _ = mutex.run { 1 }
    _ = mutex.withLock { 1 }
    // error: 'lock()' is unavailable: use enqueue or run, or acquire(), a future of a permit
    // instead: mutex.acquire().onValue { permit in permit.release() }
    mutex.lock()
    // error: 'lock()' is unavailable: use enqueue or run, or acquire(), a future of a permit
    // instead: let _: Future<Int> = mutex.enqueue { load() }
    let _: Future<Int> = mutex.lock().flatMap { _ in load() }
    // error: 'wait()' is unavailable: use acquire(), a future of a permit
    // instead: semaphore.acquire().onValue { permit in permit.release() }
    semaphore.wait()
}
