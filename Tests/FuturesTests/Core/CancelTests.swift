// Cancelling futures and their consumers, and handlers that always run. Contract/Cancelling.md

import Futures
import FuturesTesting
import Testing

@Suite struct CancelTests {
    private let log = Log<String>()

    /// Returns a future that logs when its disposable is disposed, and never completes by itself.
    private func pending() -> Future<Int> { stoppable { log.add("dispose") } }

    @Test func `cancelling a future with listeners does nothing`() {
        let source = pending()
        let middle = source.map(on: .immediate) { $0 }
        let listener = middle.map(on: .immediate) { $0 }
        middle.cancel()
        source.cancel()
        #expect(!source.isCompleted && !middle.isCompleted && !listener.isCompleted)
        #expect(log.entries == [])
    }

    @Test func `cancel returns whether it cancelled the future`() {
        let promise = Promise<Int>()
        let listener = promise.future.map(on: .immediate) { $0 }
        #expect(!promise.future.cancel())
        #expect(listener.cancel())
        #expect(promise.future.isCancelled)
        #expect(!listener.cancel() && !promise.future.cancel())
        #expect(!Future(1).cancel() && !Future<Int>.never.cancel())
        #expect(Future<Int>.never.map(on: .immediate) { $0 }.cancel())
        // An operation that completes while it is being started already has its result.
        let (early, isCancelled, time) = (Shared<Future<Int>?>(nil), Shared<Bool?>(nil), VirtualTime())
        early.value = Future<Int>(on: time.scheduler) { completion in
            completion(.success(1))
            isCancelled.value = early.value?.cancel()
            return NilDisposer()
        }
        time.run()
        #expect(isCancelled.value == false && early.value?.success == 1)
    }

    @Test func `a cancelled future completes with a CancellationError and disposes its disposable`() {
        let future = pending()
        future.cancel()
        #expect(future.isCancelled)
        #expect(log.entries == ["dispose"])
        future.onError(on: .immediate) { log.add("\($0 is CancellationError)") }
        #expect(log.entries == ["dispose", "true"])
    }

    @Test func `cancelling the last listener of a source cancels the source too, and so on upstream`() {
        let root = pending()
        let middle = root.map(on: .immediate) { $0 }
        let a = middle.map(on: .immediate) { $0 }
        let b = middle.map(on: .immediate) { $0 }
        a.cancel()
        #expect(a.isCancelled && !middle.isCompleted && !root.isCompleted)
        b.cancel()
        #expect(b.isCancelled && middle.isCancelled && root.isCancelled)
        #expect(log.entries == ["dispose"])
    }

    @Test func `a cancel reaches the future that a transform returned`() {
        let outer = Future(1).flatMap(on: .immediate) { _ in pending() }
        #expect(!outer.isCompleted)
        outer.cancel()
        #expect(outer.isCancelled)
        #expect(log.entries == ["dispose"])
    }

    @Test func `in a cancelled chain, onCancel handlers run source first`() {
        let last = pending()
            .onCancel(on: .immediate) { log.add("1") }
            .map(on: .immediate) { $0 }
            .onCancel(on: .immediate) { log.add("2") }
            .onValue(on: .immediate) { _ in log.add("value") }
            .onError(on: .immediate) { _ in log.add("error") }
            .onCancel(on: .immediate) { log.add("3") }
        last.cancel()
        #expect(log.entries == ["dispose", "1", "2", "3"])
    }

    @Test func `cancelling one consumer does not affect the others`() {
        let (promise, heard) = (Promise<Int>(), Log<String>())
        let source = promise.future.map(on: .immediate) { $0 }
        let first = source.onValue(on: .immediate) { _ in heard.add("first") }
        source.onValue(on: .immediate) { heard.add("second \($0)") }
        let third = source.onValue(on: .immediate) { _ in heard.add("third") }
        let selected = select(source, or: Future(2))
        first.cancel()
        third.cancel()
        #expect(selected.isCompleted)
        #expect(!source.isCompleted)
        promise.succeed(1)
        #expect(heard.entries == ["second 1"])
        #expect(source.success == 1)
    }

    @Test func `an operation that is cancelled before its scheduler starts it never starts`() {
        let (time, runs) = (VirtualTime(), Shared(0))
        let futures = [
            Future(on: time.scheduler, immediate: { runs.increment() }),
            Future(on: time.scheduler) { completion in
                completion(.success(runs.increment()))
                return NilDisposer()
            },
            Future(1).map(on: time.scheduler) { _ in runs.increment() },
            Future(1).flatMap(on: time.scheduler) { _ in Future(runs.increment()) },
        ]
        for future in futures { future.cancel() }
        time.run()
        #expect(runs.value == 0)
        for future in futures { #expect(future.isCancelled) }
    }

    enum End: CaseIterable { case completed, failed, cancelled, cancelledAbove, abandoned }

    @Test(arguments: End.allCases)
    func `always runs once for each run that completes, fails, is cancelled or is abandoned`(end: End) {
        let (calls, promise) = (Shared(0), Shared<Promise<Int>?>(Promise()))
        let last = promise.value!.future
            .map(on: .immediate) { $0 }
            .always(on: .immediate) { calls.increment() }
        switch end {
        case .completed: promise.value!.succeed(1)
        case .failed: promise.value!.fail(Oops())
        case .cancelled: last.cancel()
        case .cancelledAbove: promise.value!.fail(CancellationError())
        case .abandoned: promise.value = nil
        }
        #expect(calls.value == 1)
        #expect(last.isCompleted)
        last.cancel()
        promise.value?.succeed(2)
        #expect(calls.value == 1)
    }
}
