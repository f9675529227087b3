// The life of a future: its operation, its completion, its disposable and its listeners. Contract/Life.md

import Futures
import FuturesTesting
import Testing

@Suite struct LifeTests {
    private let promise = Promise<Int>(), heard = Log<Int>()

    @Test func `an operation runs once for any number of listeners`() {
        for listeners in 0...2 {
            let (runs, heard) = (Shared(0), Shared(0))
            let future = Future(on: .immediate, immediate: { runs.increment() })
            for _ in 0..<listeners { future.onValue(on: .immediate) { _ in heard.increment() } }
            #expect(runs.value == 1)
            #expect(heard.value == listeners)
        }
    }

    @Test func `a second completion is ignored`() {
        promise.future.onValue(on: .immediate) { heard.add($0) }
        #expect([promise.succeed(1), promise.succeed(2), promise.fail(Oops())] == [true, false, false])
        #expect(promise.future.success == 1)
        #expect(heard.entries == [1])

        let future = Future<Int> { completion in
            completion(.success(1))
            completion(.failure(Oops()))
            return NilDisposer()
        }
        #expect(future.success == 1)
    }

    @Test func `listeners of a pending future are called in the order in which they were attached`() {
        for index in 0..<100 { promise.future.onResult(on: .immediate) { _ in heard.add(index) } }
        promise.succeed(1)
        #expect(heard.entries == Array(0..<100))
    }

    @Test func `a listener is called exactly once`() {
        let calls = Shared(0)
        let tail = promise.future.onResult(on: .immediate) { _ in calls.increment() }
        promise.succeed(1)
        promise.succeed(2)
        tail.onResult(on: .immediate) { _ in }
        tail.cancel()
        promise.future.cancel()
        #expect(calls.value == 1)
    }

    @Test func `a listener that is attached after completion is called too`() {
        let (heard, promise) = (Log<String>(), Promise<String>())
        promise.succeed("late")
        promise.future.onValue(on: .immediate) { heard.add($0) }
        promise.future.onValue(on: .immediate) { heard.add($0 + "r") }
        Future<String>(error: Oops(3)).onError(on: .immediate) { heard.add("\($0 as? Oops == Oops(3))") }
        #expect(heard.entries == ["late", "later", "true"])
    }

    @Test(arguments: [false, true])
    func `the disposable is disposed once on completion, before the listeners are called`(isCancelled: Bool) {
        let (log, completion) = (Log<String>(), Shared<Future<Int>.Completion?>(nil))
        let future = Future<Int> {
            completion.value = $0
            return Recorder(log: log)
        }
        let last = future.always(on: .immediate) { log.add("listener") }
        #expect(log.entries == [])
        if isCancelled { last.cancel() }
        for number in 1...2 { completion.value!(.success(number)) }
        last.cancel()
        #expect(log.entries == ["dispose", "listener"])
    }

    @Test func `a disposable that is returned after completion is disposed too, before the listeners are called`() {
        let log = Log<String>()
        // Starts later, so that listeners are attached before.
        let time = VirtualTime()
        let future = Future<Int>(on: time.scheduler) { completion in
            completion(.success(1))
            log.add("completed")
            return Recorder(log: log)
        }
        future.onValue(on: .immediate) { _ in log.add("value") }
        time.run()
        #expect(log.entries == ["completed", "dispose", "value"])
        future.cancel()
        #expect(log.count == 3)
    }

    /// Unlike a `Disposer`, it does not ensure that it is disposed only once.
    private struct Recorder: Disposable {
        let log: Log<String>

        func dispose() { log.add("dispose") }
    }

    @Test func `an error thrown by an operation fails its future`() {
        let began = Future<Int> { _ in throw Oops(1) }
        #expect(began.error as? Oops == Oops(1))
        let placed = Future<Int>(on: .immediate) { _ in throw Oops(2) }
        #expect(placed.error as? Oops == Oops(2))
        let immediate = Future<Int>(immediate: { throw Oops(3) })
        #expect(immediate.error as? Oops == Oops(3))
    }

    @Test func `an error thrown by a transform fails only the future that the transform creates`() {
        let (one, failed) = (Future(1), Future<Int>(error: Oops()))
        let made: [Future<Int>] = [
            one.map(on: .immediate) { _ in throw Oops(1) },
            one.mapResult(on: .immediate) { _ in throw Oops(1) },
            failed.recover(on: .immediate) { _ in throw Oops(1) },
            one.flatMap(on: .immediate) { _ in throw Oops(1) },
            one.flatMapResult(on: .immediate) { _ in throw Oops(1) },
            failed.flatMapError(on: .immediate) { _ in throw Oops(1) },
            one.onValue(on: .immediate) { _ in throw Oops(1) },
            one.onResult(on: .immediate) { _ in throw Oops(1) },
            failed.onError(on: .immediate) { _ in throw Oops(1) },
        ]
        for future in made { #expect(future.error as? Oops == Oops(1)) }
        #expect(one.success == 1)
        #expect(failed.error as? Oops == Oops())
    }

    @Test func `a promise can be completed as a future, with its value or error`() {
        for result in [Result<Int, any Error>.success(1), .failure(Oops(2))] {
            let (source, promise) = (Promise<Int>(), Promise<Int>())
            promise.complete(with: source.future)
            #expect(!promise.future.isCompleted)
            source.complete(result)
            #expect(
                promise.future.success == (try? result.get())
                    && promise.future.error as? Oops == source.future.error as? Oops)
        }
        let promise = Promise<Int>()
        promise.complete(with: Future(3))
        #expect(promise.future.success == 3)
    }

    @Test func `a promise that is completed as its own future fails`() {
        let promise = Promise<Int>()
        promise.complete(with: promise.future)
        #expect(promise.future.error as? FutureError == .awaitsItself)
    }

    @Test func `a promise that was completed or cancelled before ignores the future, which continues`() {
        for cancels in [false, true] {
            let (source, promise) = (Promise<Int>(), Promise<Int>())
            promise.complete(with: source.future)
            if cancels { promise.future.cancel() } else { promise.succeed(7) }
            #expect(!source.future.isCompleted)
            source.succeed(1)
            #expect(promise.future.success == (cancels ? nil : 7) && promise.future.isCancelled == cancels)
        }
    }
}
