// replace: another future replaces a late one. Contract/Time.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureReplaceTests {
    @Test func `a late future is cancelled before another future replaces it`() {
        let time = VirtualTime()
        let log = Log<String>()
        let (slow, other) = (Promise<Int>(), Promise<Int>())
        let source = slow.future.onCancel(on: .immediate) { log.add("cancelled") }
        let replaced = source.replace(on: time.scheduler, after: .seconds(1)) {
            log.add(time.scheduler.isCurrent ? "called" : "called elsewhere")
            return other.future
        }
        time.advance(by: .seconds(1))
        #expect(log.entries == ["cancelled", "called"])
        #expect(replaced.result == nil)
        other.succeed(2)
        #expect(replaced.success == 2)
    }

    @Test func `a result that arrives in time needs no replacement`() {
        let time = VirtualTime()
        let calls = Shared(0)
        let (promise, other) = (Promise<Int>(), Promise<Int>())
        let lazy = promise.future.replace(on: time.scheduler, after: .seconds(1)) {
            calls.increment()
            return Future(2)
        }
        let eager = promise.future.replace(with: other.future, after: .seconds(1), on: time.scheduler)
        promise.succeed(1)
        time.advance(by: .seconds(1))
        #expect(lazy.success == 1)
        #expect(calls.value == 0)
        #expect(eager.success == 1)
        #expect(other.future.isCancelled)
    }

    @Test func `an early result of the replacement is used only when the time limit expires`() {
        let time = VirtualTime()
        let (promise, other) = (Promise<Int>(), Promise<Int>())
        let (failing, failure) = (Promise<Int>(), Promise<Int>())
        let replaced = promise.future.replace(with: other.future, after: .seconds(2), on: time.scheduler)
        let failed = failing.future.replace(with: failure.future, after: .seconds(2), on: time.scheduler)
        time.advance(by: .seconds(1))
        other.succeed(2)
        failure.fail(Oops(3))
        #expect(replaced.result == nil)
        time.advance(by: .seconds(1))
        #expect(replaced.success == 2)
        #expect(failed.error as? Oops == Oops(3))
        #expect(promise.future.isCancelled && failing.future.isCancelled)
    }

    @Test func `a late replacement is waited for`() {
        let time = VirtualTime()
        let other = Promise<Int>()
        let replaced = Future.never.replace(with: other.future, after: .seconds(1), on: time.scheduler)
        let heard = Log<Int>()
        Future.never.replace(with: other.future, after: .seconds(1), on: time.scheduler)
            .onValue(on: .immediate) { heard.add($0) }
        time.advance(by: .seconds(1))
        #expect(replaced.result == nil)
        other.succeed(2)
        #expect(replaced.success == 2)
        #expect(heard.entries == [2])
    }

    @Test func `a cancel reaches both the original future and its replacement`() {
        let time = VirtualTime()
        for isOver in [false, true] {
            let (promise, eager, lazy) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
            let replaced = promise.future.replace(with: eager.future, after: .seconds(1), on: time.scheduler)
            let called = Future.never.replace(on: time.scheduler, after: .seconds(1)) { lazy.future }
            if isOver { time.advance(by: .seconds(1)) }
            replaced.cancel()
            called.cancel()
            #expect(promise.future.isCancelled && eager.future.isCancelled)
            #expect(lazy.future.isCancelled == isOver)
            #expect(time.pendingCount == 0)
        }
    }

    @Test func `an error thrown instead of returning a replacement fails the future`() {
        let time = VirtualTime()
        let replaced = Future<Int>.never.replace(on: time.scheduler, after: .seconds(1)) { throw Oops(1) }
        time.advance(by: .seconds(1))
        #expect(replaced.error as? Oops == Oops(1))
    }

    @Test func `a repetition can be replaced again`() throws {
        let time = VirtualTime()
        let (slow, eager, lazy) = (Shared(0), Shared(0), Shared(0))
        let source = Future<Void>(on: .immediate, immediate: { slow.increment() })
            .flatMap(on: .immediate) { Future(1).delay(by: .seconds(5), on: time.scheduler) }
        let other = Future<Int>(on: .immediate, immediate: { throw Oops(eager.increment()) })
        let replaced = source.replace(with: other, after: .seconds(2), on: time.scheduler)
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        let called = source.replace(on: time.scheduler, after: .seconds(1)) { Future(error: Oops(lazy.increment())) }
            .onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
        try time.runToEnd()
        #expect(replaced.error as? Oops == Oops(3))
        #expect(called.error as? Oops == Oops(3))
        #expect(slow.value == 5)
        #expect(time.now == .seconds(6))
    }

    @Test func `the time limit of a replacement starts when both futures have started, in each run`() {
        let time = VirtualTime()
        let scheduler = time.scheduler
        let log = Log<String>()
        let source = Future(on: .immediate) { completion in
            log.add("source")
            return scheduler.async(after: .milliseconds(250)) { completion(.success("source")) }
        }
        let other = Future(on: .immediate) { completion in
            log.add("other")
            // It takes time to start.
            time.advance(by: .milliseconds(200))
            completion(.success("other"))
            return NilDisposer()
        }
        let future = source.replace(with: other, after: .milliseconds(100), on: scheduler)
        let results = future.repeatAndCollect(on: .immediate, maxRepetitions: 2) { _ in true }
        for _ in 0..<3 { time.advance(by: .milliseconds(50)) }
        #expect(results.success == ["source", "source", "source"])
        #expect(log.entries == ["source", "other", "source", "other", "source", "other"])
        #expect(time.pendingCount == 0)
    }

    @Test func `a late future is cancelled before a completed future replaces it`() {
        let time = VirtualTime()
        let log = Log<String>()
        let (slow, failing, late) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
        for (name, source, other) in [
            ("value", slow, Future(1)), ("error", failing, Future(error: Oops())), ("late", late, Future.never),
        ] {
            source.future.onCancel(on: .immediate) { log.add("cancel \(name)") }
                .replace(with: other, after: .seconds(1), on: time.scheduler)
                .onResult(on: .immediate) { _ in log.add("result \(name)") }
        }
        time.advance(by: .seconds(1))
        #expect(
            log.entries == ["cancel value", "result value", "cancel error", "result error", "cancel late"])
    }

    @Test func `in nested replacements, the shorter limit expires first`() throws {
        let time = VirtualTime()
        let nested = Future.never.replace(on: time.scheduler, after: .seconds(1)) { Future<Int>.never }
            .replace(on: time.scheduler, after: .seconds(3)) { Future(3) }
        let sooner = Future.never.replace(on: time.scheduler, after: .seconds(5)) { Future(5) }
            .replace(on: time.scheduler, after: .seconds(2)) { Future(2) }
        try time.runToEnd()
        #expect(nested.success == 3)
        #expect(sooner.success == 2)
        #expect(time.now == .seconds(3))
    }
}
