// Words of other libraries: the message says what to write instead.
import Futures

func load() -> Future<Int> { .never }
func page(_ number: Int) -> Future<String> { .never }

// Promises.

func then(_ number: Future<Int>) -> Future<Int> {
    // error: 'then' is unavailable: use flatMap for a closure that returns a future, and map for a value
    // instead: number.map { $0 * 2 }
    number.then { $0 * 2 }
}

func thenAFuture(_ number: Future<Int>) -> Future<String> {
    // error: 'then' is unavailable: use flatMap for a closure that returns a future, and map for a value
    // instead: number.flatMap { page($0) }
    number.then { page($0) }
}

func firstlyThenDone() {
    // error: 'firstly' is unavailable: write the future itself, and chain flatMap to it
    // error: 'done' is unavailable: use onValue
    // instead: load().onValue { print($0) }
    _ = firstly { load() }.done { print($0) }
}

func catching(_ number: Future<Int>) {
    // error: 'catch' is unavailable: use onError to observe an error, and recover for a value instead of it
    // instead: number.onError { error in print(error) }
    _ = number.catch { error in print(error) }
}

func ensure(_ number: Future<Int>) {
    // error: 'ensure' is unavailable: use always; for a condition, throw in map
    // instead: number.always { print("done") }
    _ = number.ensure { print("done") }
}

func finally(_ number: Future<Int>) {
    // error: 'finally' is unavailable: use always
    // instead: number.always { print("done") }
    _ = number.finally { print("done") }
}

func tap(_ number: Future<Int>) {
    // error: 'tap' is unavailable: use onValue, or onResult for the error too
    // instead: number.onValue { print($0) }
    _ = number.tap { print($0) }
}

func whenFulfilled(_ number: Future<Int>, _ text: Future<String>) {
    // error: 'when(fulfilled:)' is unavailable: use join(a, b)
    // instead: _ = join(number, text)
    _ = when(fulfilled: number, text)
}

func allSettled(_ numbers: [Future<Int>]) {
    // error: 'allSettled' is unavailable: use Future.settle(futures)
    // instead: _ = Future.settle(numbers)
    _ = Future.allSettled(numbers)
}

func all(_ numbers: [Future<Int>]) {
    // error: 'all' is unavailable: use join(futures)
    // instead: _ = join(numbers)
    _ = Future.all(numbers)
}

func race(_ numbers: [Future<Int>]) {
    // error: 'race' is unavailable: use select(between: futures)
    // instead: _ = select(between: numbers)
    _ = Future.race(numbers)
}

func any(_ numbers: [Future<Int>]) {
    // error: 'any' is unavailable: use Future.firstSuccess(of: futures)
    // instead: _ = Future.firstSuccess(of: numbers)
    _ = Future.any(numbers)
}

func value() -> Future<Int> {
    // error: 'value' is unavailable: use Future(value)
    // instead: Future(1)
    Future.value(1)
}

func reject() -> Future<Int> {
    // error: 'reject' is unavailable: use Future(error: error)
    // instead: Future(error: CancellationError())
    Future<Int>.reject(CancellationError())
}

func fulfill(_ promise: Promise<Int>) {
    // error: 'fulfill' is unavailable: use succeed(value)
    // instead: promise.succeed(1)
    promise.fulfill(1)
}

func resolve(_ promise: Promise<Int>) {
    // error: 'resolve' is unavailable: use succeed(value), or complete(with: future)
    // instead: promise.succeed(1)
    promise.resolve(1)
}

func reject(_ promise: Promise<Int>) {
    // error: 'reject' is unavailable: use fail(error)
    // instead: promise.fail(CancellationError())
    promise.reject(CancellationError())
}

func retry(_ number: Future<Int>) -> Future<Int> {
    // error: 'retry' is unavailable: use onErrorRepeat(maxRepetitions:), or retry with a RetryPolicy
    // instead: number.onErrorRepeat(maxRepetitions: 3)
    number.retry(3)
}

func mapError(_ number: Future<Int>) -> Future<Int> {
    // error: 'mapError' is unavailable: use recover, as the closure of mapError returns an error
    // instead: number.recover { _ in 0 }
    number.mapError { _ in 0 }
}

// Event loops.

func whenSuccess(_ number: Future<Int>) {
    // error: 'whenSuccess' is unavailable: use onValue
    // instead: number.onValue { print($0) }
    number.whenSuccess { print($0) }
}

func whenComplete(_ number: Future<Int>) {
    // error: 'whenComplete' is unavailable: use onResult
    // instead: number.onResult { result in print(result) }
    number.whenComplete { result in print(result) }
}

func onSuccess(_ number: Future<Int>) {
    // error: 'onSuccess' is unavailable: use onValue
    // instead: number.onValue { print($0) }
    _ = number.onSuccess { print($0) }
}

func onComplete(_ number: Future<Int>) {
    // error: 'onComplete' is unavailable: use onResult
    // instead: number.onResult { print($0) }
    _ = number.onComplete { print($0) }
}

func flatMapThrowing(_ number: Future<Int>) -> Future<Int> {
    // error: 'flatMapThrowing' is unavailable: use map, whose closure may throw
    // instead: number.map { _ in throw CancellationError() }
    number.flatMapThrowing { _ in throw CancellationError() }
}

func flatMapErrorThrowing(_ number: Future<Int>) -> Future<Int> {
    // error: 'flatMapErrorThrowing' is unavailable: use recover, whose closure may throw
    // instead: number.recover { throw $0 }
    number.flatMapErrorThrowing { throw $0 }
}

func hop(_ number: Future<Int>) {
    // error: 'hop(to:)' is unavailable: pass the scheduler to the next operator, as in map(on: scheduler)
    // instead: number.onValue(on: .main) { print($0) }
    number.hop(to: .main).onValue { print($0) }
}

func and(_ number: Future<Int>, _ text: Future<String>) {
    // error: 'and' is unavailable: use join(a, b)
    // instead: _ = join(number, text)
    _ = number.and(text)
}

func cascade(_ number: Future<Int>, to promise: Promise<Int>) {
    // error: 'cascade(to:)' is unavailable: use promise.complete(with: future)
    // instead: promise.complete(with: number)
    number.cascade(to: promise)
}

func get(_ number: Future<Int>) async throws -> Int {
    // error: 'get()' is unavailable: use await future.value, or wait() where there is no async
    // instead: try await number.value
    try await number.get()
}

// Combine.

func sink(_ number: Future<Int>) {
    // error: 'sink(receiveCompletion:receiveValue:)' is unavailable: use onResult, or onValue and onError
    // instead: number.onResult { print($0) }
    _ = number.sink(receiveCompletion: { _ in print("done") }, receiveValue: { print($0) })
}

func compactMap(_ text: Future<String>) {
    // error: 'compactMap' is unavailable: use map, and unwrap(orThrow:) for the error of nil
    // instead: _ = text.map { Int($0) }.unwrap(orThrow: CancellationError())
    _ = text.compactMap { Int($0) }
}

func filter(_ number: Future<Int>) {
    // error: 'filter' is unavailable: use map, whose closure may throw
    // instead: _ = number.map { number in if number > 1 { number } else { throw CancellationError() } }
    _ = number.filter { $0 > 1 }
}

func zip(_ number: Future<Int>, _ text: Future<String>) {
    // error: 'zip' is unavailable: use join(a, b)
    // instead: _ = join(number, text)
    _ = number.zip(text)
}

func replaceError(_ number: Future<Int>) {
    // error: 'replaceError(with:)' is unavailable: use recover { _ in value }
    // instead: _ = number.recover { _ in 0 }
    _ = number.replaceError(with: 0)
}

func receive(_ number: Future<Int>) {
    // error: 'receive(on:)' is unavailable: pass the scheduler to the next operator, as in map(on: scheduler)
    // instead: number.onValue(on: .main) { print($0) }
    number.receive(on: .main).onValue { print($0) }
}

// Queues and locks.

func cancelAllOperations(_ queue: FutureQueue<Void>) {
    // error: 'cancelAllOperations()' is unavailable: use cancelAll()
    // instead: queue.cancelAll()
    queue.cancelAllOperations()
}

func waitUntilAllOperationsAreFinished(_ queue: FutureQueue<Void>) throws {
    // error: 'waitUntilAllOperationsAreFinished()' is unavailable: use drained(), a future, which wait() or await waits for
    // instead: try queue.drained().wait()
    queue.waitUntilAllOperationsAreFinished()
}

func suspend(_ queue: FutureQueue<Void>) {
    // error: 'suspend()' is unavailable: use isPaused = true
    // instead: queue.isPaused = true
    queue.suspend()
}

func add(_ queue: FutureQueue<Void>) {
    // error: 'add' is unavailable: use enqueue
    // instead: queue.enqueue { load() }
    _ = queue.add { load() }
}

func addOperation(_ queue: FutureQueue<Void>) {
    // error: 'addOperation' is unavailable: use run, or enqueue for a closure that returns a future
    // instead: _ = queue.run { print("done") }
    queue.addOperation { print("done") }
}

func withLock(_ mutex: FutureMutex) {
    // error: 'withLock' is unavailable: use run, or enqueue for a closure that returns a future
    // instead: _ = mutex.run { 1 }
    _ = mutex.withLock { 1 }
}

func lock(_ mutex: FutureMutex) {
    // error: 'lock()' is unavailable: use enqueue or run, or acquire(), a future of a permit
    // instead: mutex.acquire().onValue { permit in permit.release() }
    mutex.lock()
}

func lockInAChain(_ mutex: FutureMutex) -> Future<Int> {
    // error: 'lock()' is unavailable: use enqueue or run, or acquire(), a future of a permit
    // instead: mutex.enqueue { load() }
    mutex.lock().flatMap { _ in load() }
}

func wait(_ semaphore: FutureSemaphore) {
    // error: 'wait()' is unavailable: use acquire(), a future of a permit
    // instead: semaphore.acquire().onValue { permit in permit.release() }
    semaphore.wait()
}

func tryLock(_ mutex: FutureMutex) -> Bool {
    // error: 'tryLock()' is unavailable: use acquireIfAvailable()
    // instead: mutex.acquireIfAvailable() != nil
    mutex.tryLock()
}

func withReadLock(_ lock: FutureReadWriteLock) {
    // error: 'withReadLock' is unavailable: use reading.run
    // instead: _ = lock.reading.run { 1 }
    _ = lock.withReadLock { 1 }
}

func withWriteLock(_ lock: FutureReadWriteLock) {
    // error: 'withWriteLock' is unavailable: use writing.run
    // instead: _ = lock.writing.run { 1 }
    _ = lock.withWriteLock { 1 }
}
