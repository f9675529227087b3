// Locks: none is held while user code runs. Contract/Life.md

import Futures
import Testing

/// Each test has another thread use the future, bag or queue from within user code, and waits for that thread. With a
/// lock held, it would deadlock.
@Suite struct LockTests {
    @Test func `no lock is held while a callback runs`() {
        let promise = Promise<Int>()
        let passed = Shared(0)
        let first = promise.future.onValue(on: .immediate) { _ in
            if onAnotherThread({ use(promise) }) { passed.increment() }
        }
        first.map(on: .immediate) { _ in
            if onAnotherThread({
                use(promise); first.onResult { _ in }.cancel()
            }) {
                passed.increment()
            }
        }.always(on: .immediate) {
            if onAnotherThread({ use(promise) }) { passed.increment() }
        }
        promise.succeed(1)
        #expect(passed.value == 3)
    }

    @Test func `no lock is held while an operation runs`() {
        let promise = Promise<Int>()
        let passed = Shared(0)
        let source = promise.future
        let future = source.flatMap(on: .immediate) { value in
            Future<Int>(on: .immediate) { completion in
                if onAnotherThread({
                    use(promise); completion(.success(value))
                }) {
                    passed.increment()
                }
                return NilDisposer()
            }
        }
        promise.succeed(1)
        #expect(passed.value == 1)
        #expect(future.success == 1)
    }

    @Test(arguments: [true, false]) func `no lock is held while a disposable is disposed`(cancels: Bool) {
        let box = Shared<(future: Future<Int>, completion: Future<Int>.Completion)?>(nil)
        let passed = Shared(0)
        let made = Shared<Future<Int>.Completion?>(nil)
        let future = Future<Int> {
            made.value = $0
            return Disposer {
                let (future, completion) = box.value!
                let ended = onAnotherThread {
                    future.onResult(on: .immediate) { _ in }.cancel()
                    future.cancel()
                    completion(.success(2))
                    _ = future.result
                }
                if ended { passed.increment() }
            }
        }
        box.value = (future, made.value!)
        if cancels { future.cancel() } else { made.value!(.success(1)) }
        #expect(passed.value == 1)
        box.value = nil
    }

    @Test func `no lock is held while a value or a closure is released`() {
        let census = Census()
        let passed = Shared(0)
        let source = Promise<Int>()
        let farewell: @Sendable () -> Void = { if onAnotherThread({ use(source) }) { passed.increment() } }
        func listen() -> Future<Int> {
            let captured = census.make(farewell: farewell)
            return source.future.map(on: .immediate) { captured.pass($0) }
        }
        source.future.onResult(on: .immediate) { _ in }
        // A cancelled listener is released with all that it captured.
        listen().cancel()
        #expect(passed.value == 1)

        // A second value is released by the thread that passes it.
        let promise = Promise<Census.Counted>()
        promise.succeed(census.make())
        promise.succeed(census.make(farewell: farewell))
        #expect(passed.value == 2)

        // A value is released with its future.
        _ = Future(census.make(farewell: farewell)).map(on: .immediate) { _ in 1 }
        #expect(passed.value == 3)
    }

    @Test func `no lock is held while a bag disposes its contents`() {
        let bag = DisposeBag()
        let passed = Shared(0)
        bag += {
            let ended = onAnotherThread {
                _ = bag.isEmpty
                bag += NilDisposer()
                bag.dispose()
            }
            if ended { passed.increment() }
        }
        bag.dispose()
        #expect(passed.value == 1)
    }

    @Test func `no lock is held while a queue starts an operation`() {
        let queue = FutureQueue()
        let passed = Shared(0)
        queue.on(.immediate).enqueue {
            let ended = onAnotherThread {
                queue.on(.immediate).enqueue { Future() }.cancel()
                _ = queue.isEmpty
            }
            if ended { passed.increment() }
            return Future()
        }
        #expect(passed.value == 1)
    }
}

/// Calls every method of a promise and its future that takes a lock.
private func use(_ promise: Promise<Int>) {
    let future = promise.future
    future.onResult(on: .immediate) { _ in }.cancel()
    let bag = DisposeBag()
    bag += future.map(on: .immediate) { $0 }
    bag.dispose()
    promise.succeed(0)
    _ = future.result
    future.cancel()
}
