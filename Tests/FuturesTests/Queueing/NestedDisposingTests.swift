// An operation keeps its turn while a closure of another queue's operation in it still runs.

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

@Suite struct NestedDisposingTests {
    private typealias Enqueue = @Sendable (Scheduler, @escaping @Sendable () -> Future<Int>) -> Future<Int>

    private static let inner: [(name: String, enqueue: Enqueue)] = [
        ("queue", { scheduler, body in FutureQueue().on(scheduler).enqueue { body() } }),
        (
            "run",
            { scheduler, body in
                FutureQueue().on(scheduler).run {
                    _ = body(); return 1
                }
            }
        ),
        ("keys", { scheduler, body in KeyedFutureQueue<Int>()[1].on(scheduler).enqueue { body() } }),
        ("mutex", { scheduler, body in FutureMutex().on(scheduler).enqueue { body() } }),
        ("read", { scheduler, body in FutureReadWriteLock().reading.on(scheduler).enqueue { body() } }),
        ("semaphore", { scheduler, body in FutureSemaphore(count: 1).on(scheduler).enqueue { body() } }),
        (
            "pool",
            { scheduler, body in
                ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) }.on(scheduler).enqueue { _ in body() }
            }
        ),
        ("finally", { scheduler, body in FutureQueue().on(scheduler).enqueue(body) { _, _ in Future() } }),
    ]

    @Test(arguments: 0..<disposingForms.count)
    func `an operation that is cancelled keeps its turn while the closure of an operation in it runs`(_ form: Int) async
    {
        let form = disposingForms[form]
        for inner in Self.inner {
            for steps in 0...1 {
                let log = Log<String>()
                let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let elsewhere = Scheduler(label: "elsewhere")
                let future = form.enqueue(log, .immediate) {
                    var future = inner.enqueue(elsewhere) {
                        log.add("runs")
                        entered.signal()
                        gate.wait()
                        log.add("has run")
                        return Future<Int>(on: .immediate) { completion in Disposer { _ = completion } }
                    }
                    for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                    return future
                }
                entered.wait()
                #expect(future.cancel())
                #expect(log.entries == ["runs"], "\(inner.name) in \(form.name), \(steps) steps")
                gate.signal()
                #expect(await comesTrue { log.entries.contains("next") }, "\(inner.name) in \(form.name)")
                #expect(log.entries.filter { $0 != "cleans up" } == ["runs", "has run", "next"])
            }
        }
    }

    @Test(arguments: 0..<disposingForms.count)
    func `what such a closure returns is disposed before the next operation starts`(_ form: Int) async {
        let form = disposingForms[form]
        for inner in Self.inner where inner.name != "run" {
            let log = Log<String>()
            let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let elsewhere = Scheduler(label: "elsewhere")
            let future = form.enqueue(log, .immediate) {
                inner.enqueue(elsewhere) {
                    entered.signal()
                    gate.wait()
                    return Future(on: .immediate) { completion in
                        Disposer {
                            _ = completion
                            log.add("disposed")
                        }
                    }
                }
            }
            entered.wait()
            #expect(future.cancel())
            gate.signal()
            #expect(await comesTrue { log.entries.contains("next") }, "\(inner.name) in \(form.name)")
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposed", "next"], "\(inner.name) in \(form.name)")
        }
    }

    @Test(arguments: 0..<disposingForms.count)
    func `so is what another thread has yet to start for it`(_ form: Int) async {
        let form = disposingForms[form]
        for inner in Self.inner where inner.name != "run" {
            let log = Log<String>()
            let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (starting, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (elsewhere, far) = (Scheduler(label: "elsewhere"), Scheduler(label: "far"))
            let future = form.enqueue(log, .immediate) {
                inner.enqueue(elsewhere) {
                    entered.signal()
                    gate.wait()
                    let future = Future<Int>(on: far) { completion in
                        starting.signal()
                        goesOn.wait()
                        return Disposer {
                            _ = completion
                            log.add("disposed")
                        }
                    }
                    starting.wait()
                    return future
                }
            }
            entered.wait()
            #expect(future.cancel())
            gate.signal()
            elsewhere.sync {}
            #expect(!log.entries.contains("next"), "\(inner.name) in \(form.name)")
            goesOn.signal()
            #expect(await comesTrue { log.entries.contains("next") }, "\(inner.name) in \(form.name)")
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposed", "next"], "\(inner.name) in \(form.name)")
        }
    }

    @Test(arguments: 0..<disposingForms.count)
    func `the closure may be that of a repetition, which another thread has started`(_ form: Int) async {
        let form = disposingForms[form]
        let ways: [@Sendable (Future<Int>, Scheduler) -> Future<Int>] = [
            { $0.onErrorRepeat(on: $1, delayBetweenRepetitions: .seconds(1), maxRepetitions: 1) },
            { operation, scheduler in
                operation.onErrorRepeat(on: scheduler, maxRepetitions: 1) { _ in
                    Future(true).delay(by: .seconds(1), on: scheduler)
                }
            },
            { $0.retry(RetryPolicy(.constant(.seconds(1)), maxRepetitions: 1), on: $1) },
            { $0.hedged(after: .seconds(1), on: $1) },
        ]
        for inner in Self.inner where ["queue", "keys", "mutex", "read", "semaphore"].contains(inner.name) {
            // Only readers run beside each other, as the runs of `hedged` do.
            for (number, way) in ways.enumerated() where number < 3 || inner.name == "read" {
                let (log, time, runs) = (Log<String>(), VirtualTime(), Shared(0))
                let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let pending = Promise<Int>()
                let future = form.enqueue(log, .immediate) {
                    let operation = inner.enqueue(.immediate) {
                        // The first run fails, or goes on in the background.
                        guard runs.increment() > 1 else {
                            return number == 3 ? pending.future : Future(error: Failed())
                        }
                        log.add("runs")
                        entered.signal()
                        gate.wait()
                        log.add("has run")
                        return Future(1)
                    }
                    return way(operation, time.scheduler)
                }
                let left = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    time.advance(by: .seconds(2))
                    left.signal()
                }
                #expect(entered.wait(timeout: .testTimeout) == .success, "\(inner.name) in \(form.name), \(number)")
                #expect(future.cancel())
                #expect(log.entries == ["runs"], "\(inner.name) in \(form.name), \(number)")
                gate.signal()
                #expect(await comesTrue { log.entries.contains("next") }, "\(inner.name) in \(form.name)")
                #expect(log.entries.filter { $0 != "cleans up" } == ["runs", "has run", "next"])
                left.wait()
            }
        }
    }
}

private struct Failed: Error {}
