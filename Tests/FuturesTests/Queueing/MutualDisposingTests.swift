// Operations that the disposables of what has lost in their own futures cancel.

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

private struct Failed: Error {}

/// The future of an operation that ends before what it waits for has completed.
private struct Losing: Sendable {
    let rival = Promise<Int>()
    private let kept = Shared<Future<Int>.Completion?>(nil)

    /// Returns a future that waits for one with `disposable`, and for `rival`.
    func future(disposable: @escaping @Sendable () -> Void) -> Future<Int> {
        let source = Future<Int>(on: .immediate) { completion in
            kept.value = completion
            return Disposer(disposable)
        }
        return join([source, rival.future]).map(on: .immediate) { $0[0] }.map(on: .immediate) { $0 }
    }

    func ends() { rival.fail(Failed()) }
}

/// An operation that calls `dispose` when it is cancelled.
private func held(_ dispose: @escaping @Sendable () -> Void) -> Future<Int> {
    Future(on: .immediate) { completion in
        // Retained, so that it is not abandoned.
        Disposer { withExtendedLifetime(completion, dispose) }
    }
}

/// Futures that call `dispose` when they are cancelled.
private let cancelled: [(name: String, make: @Sendable (@escaping @Sendable () -> Void) -> Future<Int>)] = [
    ("an operation", { held($0) }),
    ("onCancel", { Future<Int>.never.onCancel(on: .immediate, $0) }),
    ("performWhile", { dispose in Future<Int>.never.performWhile(on: .immediate) { Disposer(dispose) } }),
    ("a mutex", { dispose in FutureMutex().on(.immediate).enqueue { held(dispose) } }),
    ("a join", { join([held($0), .never]).map(on: .immediate) { $0[0] } }),
    (
        "a repetition",
        { dispose in
            let runs = Shared(0)
            return Future<Int>(on: .immediate) { completion in
                if runs.increment() == 1 { completion(.failure(Failed())) }
                return runs.value == 1 ? NilDisposer() : Disposer { withExtendedLifetime(completion, dispose) }
            }.onErrorRepeat(on: .immediate)
        }
    ),
]

@Suite struct MutualDisposingTests {
    @Test(arguments: 0..<cancelled.count)
    func `an operation that is aborted in its closure, and cancelled by what that returns, gives back its turn`(
        _ index: Int
    ) throws {
        let (name, make) = cancelled[index]
        for steps in 0...2 {
            for kind in ["abort", "keys", "finally", "time limit"] {
                let time = VirtualTime()
                let (log, own) = (Log<String>(), Shared<Future<Int>?>(nil))
                let (queue, keys) = (FutureQueue(executeOn: time.scheduler), KeyedFutureQueue<Int>())
                let operation: @Sendable () -> Future<Int> = {
                    if kind == "time limit" { time.advance(by: .seconds(1)) }
                    queue.cancelAll()
                    keys[1].cancelAll()
                    var future = make {
                        log.add("disposes")
                        own.value?.cancel()
                        log.add("has disposed")
                    }
                    for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                    return future
                }
                queue.isPaused = true
                keys.isPaused = true
                own.value =
                    switch kind {
                    case "keys": keys[1].on(.immediate).enqueue { operation() }
                    case "finally":
                        queue.on(.immediate).enqueue {
                            operation()
                        } finally: { _, _ in
                            Future(log.add("cleans up"))
                        }
                    case "time limit": queue.on(.immediate).enqueue(with: .runTimeout(.seconds(1))) { operation() }
                    default: queue.on(.immediate).enqueue { operation() }
                    }
                queue.isPaused = false
                keys.isPaused = false
                time.run()
                queue.on(.immediate).run { log.add("next") }
                keys[1].on(.immediate).run { log.add("next key") }
                let last = kind == "finally" ? ["cleans up"] : []
                #expect(
                    log.entries == ["disposes", "has disposed"] + last + ["next", "next key"],
                    "\(name), \(kind), \(steps) steps")
                #expect(queue.runningCount == 0 && keys.runningCount == 0, "\(name), \(kind), \(steps) steps")
                own.value = nil
            }
        }
    }

    @Test func `an operation that is cancelled by what its future disposes, which has lost, keeps its turn`() async {
        for form in disposingForms {
            let (log, losing, future) = (Log<String>(), Losing(), Shared<Future<Int>?>(nil))
            future.value = form.enqueue(log, .immediate) {
                losing.future {
                    log.add("disposes")
                    future.value?.cancel()
                    log.add("has disposed")
                }
            }
            losing.ends()
            #expect(await comesTrue { log.entries.contains("next") }, "\(form.name)")
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"], "\(form.name)")
            future.value = nil
        }
    }

    @Test func `and with it one that waits for that, in another queue`() async {
        for form in disposingForms {
            let (log, losing, future) = (Log<String>(), Losing(), Shared<Future<Int>?>(nil))
            let inner = FutureQueue()
            future.value = form.enqueue(log, .immediate) {
                let operation = inner.on(.immediate).enqueue {
                    losing.future {
                        log.add("disposes")
                        future.value?.cancel()
                        log.add("has disposed")
                    }
                }
                inner.on(.immediate).run { log.add("inner next") }
                return operation.map(on: .immediate) { $0 }
            }
            losing.ends()
            #expect(await comesTrue { log.entries.contains("next") && log.entries.contains("inner next") })
            let entries = log.entries.filter { $0 != "cleans up" }
            #expect(entries.prefix(2) == ["disposes", "has disposed"], "\(form.name): \(entries)")
            future.value = nil
        }
    }

    @Test func `two operations that the disposables of each other's futures cancel keep their turns`() async {
        for form in disposingForms {
            let (logs, losings) = ([Log<String>(), Log<String>()], [Losing(), Losing()])
            let futures = Shared<[Future<Int>]>([])
            let (entered, bothEntered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (cancelled, bothCancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for index in 0..<2 {
                let future = form.enqueue(logs[index], .immediate) {
                    losings[index].future {
                        logs[index].add("disposes")
                        entered.signal()
                        bothEntered.wait()
                        futures.value[1 - index].cancel()
                        cancelled.signal()
                        bothCancelled.wait()
                        logs[index].add("has disposed")
                    }
                }
                futures.value.append(future)
            }
            for losing in losings { Thread.detachNewThread { losing.ends() } }
            for (arrived, gate) in [(entered, bothEntered), (cancelled, bothCancelled)] {
                for _ in 0..<2 { #expect(arrived.wait(timeout: .testTimeout) == .success, "\(form.name)") }
                for log in logs { #expect(log.entries == ["disposes"], "\(form.name)") }
                for _ in 0..<2 { gate.signal() }
            }
            for log in logs {
                #expect(await comesTrue { log.entries.contains("next") }, "\(form.name)")
                #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
            }
            futures.value = []
        }
    }
}
