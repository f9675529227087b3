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
}
