// performWhile: work that runs while a future is pending. Contract/Time.md

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct FuturePerformWhileTests {
    /// Returns work that logs when it starts and when it is disposed.
    private func work(_ log: Log<String>) -> @Sendable () -> any Disposable {
        {
            log.add("begins")
            return Disposer { log.add("ends") }
        }
    }

    @Test func `work runs while a future is pending, and is disposed before its listeners are called`() {
        for end in ["value", "error", "abandonment", "cancel"] {
            let log = Log<String>()
            var promise: Promise<Int>? = Promise()
            let performed = promise!.future.performWhile(on: .immediate, work(log))
                .always(on: .immediate) { log.add("heard") }
            #expect(log.entries == ["begins"])
            switch end {
            case "value": promise?.succeed(1)
            case "error": promise?.fail(Oops(2))
            case "abandonment": promise = nil
            default: performed.cancel()
            }
            #expect(log.entries == ["begins", "ends", "heard"], "\(end)")
            #expect(performed.isCompleted)
        }
    }

    @Test func `performWhile passes the result on`() {
        let promises = [Promise<Int>(), Promise<Int>()]
        let performed = promises.map { $0.future.performWhile(on: .immediate) { NilDisposer() } }
        promises[0].succeed(1)
        promises[1].fail(Oops(2))
        #expect(performed[0].success == 1)
        #expect(performed[1].error as? Oops == Oops(2))
    }

    @Test func `no work starts for a completed future`() {
        let time = VirtualTime()
        let log = Log<String>()
        let promise = Promise<Int>()
        #expect(Future(1).performWhile(on: .immediate, work(log)).success == 1)
        promise.future.performWhile(on: time.scheduler, delayBy: .seconds(2), work(log))
        let hopping = promise.future.performWhile(on: time.scheduler, work(log))
        promise.succeed(1)
        time.run()
        #expect(hopping.success == 1)
        time.advance(by: .seconds(2))
        #expect(log.entries == [])
        #expect(time.pendingCount == 0)
    }

    @Test func `delayed work starts when its delay expires`() {
        let time = VirtualTime()
        let log = Log<String>()
        let promise = Promise<Int>()
        promise.future.performWhile(on: time.scheduler, delayBy: .seconds(2), work(log))
        time.advance(by: .seconds(1))
        #expect(log.entries == [])
        time.advance(by: .seconds(1))
        #expect(log.entries == ["begins"])
        promise.succeed(1)
        time.run()
        #expect(log.entries == ["begins", "ends"])
    }

    @Test func `work starts and stops on its scheduler`() {
        let time = VirtualTime()
        let places = Log<Bool>()
        for isCancelled in [false, true] {
            let promise = Promise<Int>()
            let performed = promise.future.performWhile(on: time.scheduler, delayBy: .seconds(-1)) {
                places.add(time.scheduler.isCurrent)
                return Disposer { places.add(time.scheduler.isCurrent) }
            }
            time.run()
            if isCancelled { performed.cancel() } else { promise.succeed(1) }
            #expect(performed.isCompleted == isCancelled)
            time.run()
            #expect(performed.isCompleted)
        }
        #expect(places.entries == [true, true, true, true])
    }

    @Test func `work that cancels its future is disposed immediately`() {
        let log = Log<String>()
        let promise = Promise<Int>()
        let time = VirtualTime()
        let performed = Shared<Future<Int>?>(nil)
        let begin = work(log)
        performed.value = promise.future.performWhile(on: time.scheduler) {
            // The result hops to the scheduler that is running this closure, so it arrives before the closure returns.
            performed.value?.cancel()
            log.add("cancelled")
            return begin()
        }
        time.run()
        #expect(log.entries == ["cancelled", "begins", "ends"])
        #expect(promise.future.isCancelled)
    }

    @Test func `each run performs its own work`() {
        let log = Log<String>()
        let promises = Shared([Promise<Int>(), Promise<Int>()])
        let all = promises.value
        let repeated = Future<Void>(on: .immediate, immediate: {})
            .flatMap(on: .immediate) { promises.change { $0.removeFirst() }.future }
            .performWhile(on: .immediate, work(log))
            .onErrorRepeat(on: .immediate) { _ in true }
        all[0].fail(Oops())
        #expect(log.entries == ["begins", "ends", "begins"])
        all[1].succeed(1)
        #expect(log.entries == ["begins", "ends", "begins", "ends"])
        #expect(repeated.success == 1)
    }

    @Test func `a cancel stops the source even if the work is just being started in a repetition`() {
        let (runs, fail) = (Shared(0), Shared<(@Sendable () -> Void)?>(nil))
        let (isStarting, stopped, hasStopped) = (Signal(), Signal(), Shared(false))
        let log = Log<String>()
        let begin = work(log)
        let source = Future<Int>(on: .immediate) { completion in
            if runs.increment() == 1 { fail.value = { completion(.failure(Oops())) } }
            return Disposer {
                _ = completion
                if runs.value == 2 { stopped.send() }
            }
        }
        let repeated = source.performWhile(on: .immediate) {
            if runs.value == 2 {
                isStarting.send()
                hasStopped.value = stopped.comes()
            }
            return begin()
        }.onErrorRepeat(on: .immediate) { _ in true }
        let isOver = Signal()
        Thread.detachNewThread {
            fail.change { $0.take() }?()
            isOver.send()
        }
        #expect(isStarting.comes())
        repeated.cancel()
        #expect(isOver.comes())
        #expect(hasStopped.value)
        #expect(log.entries == ["begins", "ends", "begins", "ends"])
    }

    @Test func `performWhile completes after another thread has disposed its work`() async {
        let log = Log<String>()
        let (entered, gate) = (Signal(), Signal())
        let promise = Promise<Int>()
        let elsewhere = Scheduler(label: "elsewhere")
        let performed = promise.future.performWhile(on: elsewhere) {
            Disposer {
                entered.send()
                #expect(gate.comes())
                log.add("ends")
            }
        }
        performed.always(on: .immediate) { log.add("heard") }
        elsewhere.sync {}
        promise.succeed(1)
        #expect(entered.comes())
        #expect(!performed.isCompleted && log.entries == [])
        gate.send()
        #expect(await comesTrue { log.count == 2 })
        #expect(performed.success == 1)
        #expect(log.entries == ["ends", "heard"])
    }

    @Test func `work that completes its future is disposed before the listeners are called`() {
        let log = Log<String>()
        let promise = Promise<Int>()
        let begin = work(log)
        promise.future.performWhile(on: .immediate) {
            promise.succeed(1)
            return begin()
        }.always(on: .immediate) { log.add("heard") }
        #expect(log.entries == ["begins", "ends", "heard"])
    }
}
