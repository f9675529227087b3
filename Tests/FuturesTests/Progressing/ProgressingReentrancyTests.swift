// Re-entrancy: runs and Deferreds that their own callbacks use.

import Futures
import FuturesTesting
import Testing

/// Runs an action in its only stage, or waits there.
private struct Job: Progression {
    let number: Int
    var act: @Sendable () throws -> Void = {}
    var gate = Future()
    var result: Int?

    func next() -> Deferred<Job> {
        Deferred.following {
            try act()
            return gate
        }.map { Job(number: number, result: number) }
    }
}

/// Endless stages that are counted.
private struct Endless: Progression {
    let begun: Shared<Int>
    var describe: @Sendable (Int) -> Void = { _ in }
    var act: @Sendable (Int) -> Void = { _ in }
    var result: Int? { nil }

    func next() -> Deferred<Endless> {
        describe(begun.value)
        return Deferred {
            act(begun.increment())
            return self
        }
    }
}

@Suite struct ProgressingReentrancyTests {
    @Test func `a deferred can start itself`() {
        let deferred = Shared<Deferred<Int>?>(nil)
        let (runs, inner) = (Shared(0), Log<Int>())
        deferred.value = Deferred { () -> Int in
            let number = runs.increment()
            if number < 50, let future = deferred.value?.start(on: .immediate), let value = future.success {
                inner.add(value)
            }
            return number
        }.map { $0 * 10 }
        #expect(deferred.value?.start(on: .immediate).success == 10)
        #expect(inner.entries == (2...50).reversed().map { $0 * 10 })
        deferred.value = nil
    }

    @Test func `a stage that cancels its own run is the last one`() {
        let time = VirtualTime()
        let (begun, run) = (Shared(0), Shared<Future<Int>?>(nil))
        run.value = Endless(begun: begun, act: { if $0 == 5 { run.value?.cancel() } }).run(on: time.scheduler)
        time.run()
        #expect(run.value?.isCancelled == true && begun.value == 5)
    }

    @Test func `a stage whose run is cancelled while it describes the next stage does not start it`() {
        let time = VirtualTime()
        let (begun, run) = (Shared(0), Shared<Future<Int>?>(nil))
        run.value = Endless(begun: begun, describe: { if $0 == 5 { run.value?.cancel() } }).run(on: time.scheduler)
        time.run()
        #expect(run.value?.isCancelled == true && begun.value == 5)
    }

    @Test func `a resolve within a resolve, or after a cancel, does nothing`() {
        let calls = Log<Int>()
        let nested = Deferred<Int>.future { resolve in
            resolve {
                resolve { calls.increment(1) }
                return 2
            }
        }.start(on: .immediate)
        #expect(nested.success == 2 && calls.entries == [])
        let kept = Shared<(@Sendable (() throws -> Int) -> Void)?>(nil)
        let cancelled = Deferred<Int>.future { kept.value = $0 }.start(on: .immediate)
        cancelled.cancel()
        kept.value? { calls.increment(3) }
        #expect(cancelled.isCancelled)
        kept.value = nil
        let thrown = Deferred<Int>.future { resolve in
            resolve { 4 }
            throw Oops(4)
        }.start(on: .immediate)
        #expect(thrown.success == 4)
    }
}

extension Log<Int> {
    fileprivate func increment(_ number: Int) -> Int {
        add(number)
        return number
    }
}
