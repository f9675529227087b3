// Deferred: descriptions of operations, each start of which is a new run. Contract/Deferred.md

import Futures
import FuturesTesting
import Testing

@Suite struct DeferredTests {
    @Test func `a deferred does nothing until it is started, and each start is a new run`() throws {
        let runs = Shared(0)
        let deferred = Deferred { runs.increment() }.map { $0 * 10 }
        #expect(runs.value == 0)
        #expect(try deferred.start().wait(timeout: testTimeout) == 10)
        #expect(try deferred.start().wait(timeout: testTimeout) == 20)
        let again = try deferred.start().onValueRepeat(maxRepetitions: 1).wait(timeout: testTimeout)
        #expect(again == 40)
    }

    @MainActor @Test func `a deferred runs in the background by default, even in main-actor code`() async {
        let deferred = Deferred { Scheduler.current }.map { [$0, Scheduler.current] }
        let schedulers = await deferred.start().arrival().map { $0 }
        #expect(try! schedulers.get() == [.utility, .utility])
    }

    @Test func `a deferred runs where it is started, unless on: names a scheduler`() throws {
        let (time, other) = (VirtualTime(), Scheduler(label: "other"))
        let deferred = Deferred { Scheduler.current }
            .map(on: other) { [$0, Scheduler.current] }
            .flatMap { list in Deferred { list + [Scheduler.current] } }
        let urgent = Scheduler(label: "urgent")
        let started = deferred.start(on: urgent)
        #expect(try started.wait(timeout: testTimeout) == [urgent, other, urgent])
        let later = Deferred(on: time.scheduler) { 1 }.start(on: .immediate)
        #expect(!later.isCompleted)
        time.run()
        #expect(later.success == 1)
    }

    @Test func `a second resolve is ignored, and its function is not called`() {
        let calls = Shared(0)
        let future = Deferred<Int>.future { resolve in
            resolve { 1 }
            resolve { calls.increment() }
        }.start(on: .immediate)
        #expect(future.success == 1)
        #expect(calls.value == 0)
    }

    @Test func `a resolve that is released without a call fails the run as abandoned`() {
        let line: UInt = #line + 1
        let future = Deferred<Int>.future { _ in }.start(on: .immediate)
        #expect(future.error as? FutureError == .abandoned(origin: .init(#fileID, line: line)))
    }

    @Test func `a deferred has the result, the thrown error or the recovery that it describes`() {
        #expect(Deferred(5).start(on: .immediate).success == 5)
        let failed = Deferred<Int>(error: Oops(1))
        #expect(failed.start(on: .immediate).error as? Oops == Oops(1))
        #expect(failed.map { _ in 0 }.start(on: .immediate).error as? Oops == Oops(1))
        #expect(Deferred(1).map { _ -> Int in throw Oops(4) }.start(on: .immediate).error as? Oops == Oops(4))
        let thrown = Deferred(1).flatMap { _ -> Deferred<Int> in throw Oops(5) }
        #expect(thrown.start(on: .immediate).error as? Oops == Oops(5))
        #expect(Deferred<Int>.following { throw Oops(6) }.start(on: .immediate).error as? Oops == Oops(6))
        #expect(Deferred<Int>.following { Future(7) }.start(on: .immediate).success == 7)
    }

    @Test func `execute gives its handler a function that returns the value or throws the error`() throws {
        let value = try Deferred { 20 }.execute { useResult in try useResult() + 1 }.wait(timeout: testTimeout)
        #expect(value == 21)
        let failed = Deferred<Int>(error: Oops(3)).execute { useResult in _ = try useResult() }
        #expect(throws: Oops(3)) { try failed.wait(timeout: testTimeout) }
        let caught = Deferred<Int>(error: Oops(3)).execute { useResult in
            do { return try useResult() } catch { return -1 }
        }
        #expect(try caught.wait(timeout: testTimeout) == -1)
    }

    @Test func `cancelling a started deferred cancels its operation and that of no other start`() {
        let stops = Shared(0)
        let deferred = Deferred<Int>.following { Future { _ in Disposer { stops.increment() } } }.map { $0 }
        // Retained here, because an operation is abandoned when its completion is released.
        let kept = Shared<[Future<Int>.Completion]>([])
        let holding = Deferred<Int>.following {
            Future { completion in
                kept.change { $0.append(completion) }
                return Disposer { stops.increment() }
            }
        }.map { $0 + 1 }
        #expect(deferred.start(on: .immediate).error is FutureError)
        stops.value = 0
        let (first, second) = (holding.start(on: .immediate), holding.start(on: .immediate))
        first.cancel()
        #expect(first.isCancelled)
        #expect(stops.value == 1)
        kept.value[1](.success(1))
        #expect(second.success == 2)
        #expect(stops.value == 2)
    }

    @Test func `the deferred of a future repeats the future at each start`() {
        let runs = Shared(0)
        let future = Future(on: .immediate, immediate: { runs.increment() }).map(on: .immediate) { $0 * 2 }
        #expect(future.success == 2)
        let deferred = Deferred(repeating: future)
        #expect(runs.value == 1)
        #expect(deferred.start(on: .immediate).success == 4)
        #expect(deferred.map { $0 + 1 }.start(on: .immediate).success == 7)
        let promise = Promise<Int>()
        let shared = Deferred(repeating: promise.future).start()
        promise.succeed(5)
        #expect(shared.success == 5)
    }

    @Test func `a deferred of an asynchronous closure starts a task at each start`() async throws {
        let runs = Shared(0)
        let deferred = Deferred {
            await Task.yield()
            return runs.increment()
        }.map { $0 * 10 }
        #expect(runs.value == 0)
        #expect(try await deferred.start().value == 10)
        #expect(try await deferred.start().value == 20)
        let failed = Deferred<Int> {
            await Task.yield()
            throw Oops(1)
        }
        await #expect(throws: Oops(1)) { try await failed.start().value }
    }

    @Test func `each run of a deferred has the operators of futures, on the scheduler of the start`() {
        let (time, runs) = (VirtualTime(), AtomicCounter())
        let failing = Deferred {
            if !runs.up().isMultiple(of: 3) { throw Oops(runs.value) }
            return runs.value
        }
        let deferred = Deferred.following {
            failing.start(on: .current).retry(RetryPolicy(.constant(.seconds(1)), maxRepetitions: 2))
        }
        for run in 1...2 {
            let future = deferred.start(on: time.scheduler)
            time.advance(by: .seconds(1.5))
            #expect(!future.isCompleted)
            time.advance(by: .seconds(0.5))
            #expect(future.success == run * 3)
        }
    }
}
