// An operation whose future combines others keeps its turn while one of those disposes.

import Dispatch
import Futures
import FuturesTesting
import Synchronization
import Testing

/// Futures that listen to one or more others, other than as a step does.
private let shapes: [(name: String, make: @Sendable (Future<Int>) -> Future<Int>)] = [
    ("join", { join([$0, Future(1)]).map(on: .immediate) { $0[0] } }),
    ("join of three", { join($0, Future(1), Future<Int>.never).map(on: .immediate) { $0.0 } }),
    ("nested joins", { join([join([$0])]).map(on: .immediate) { $0[0][0] } }),
    ("settle", { Future.settle([$0]).map(on: .immediate) { try $0[0].get() } }),
    ("select", { select(between: [$0, .never]) }),
    ("firstSuccess", { Future.firstSuccess(of: [.never, $0]) }),
    ("performWhile", { $0.performWhile(on: .immediate) { NilDisposer() } }),
    ("withoutHistory", { $0.withoutHistory() }),
    ("abort", { $0.abort(forFutures: [Future<Void>.never]) }),
    ("hedged", { $0.hedged(after: .seconds(1000)) }),
    ("another future", { $0.timeout(after: .seconds(1000)) { Future(1) } }),
    ("retry", { $0.retry(RetryPolicy(.constant(.zero), timeLimit: .seconds(1000)), on: .immediate) }),
    ("mapToFuture", { f in [1].mapToFuture(on: .immediate) { _ in f }.map(on: .immediate) { $0[0] } }),
    ("SingleFlight", { f in SingleFlight<Int, Int>().future(on: .immediate, for: 1) { f } }),
    ("FutureCache", { f in FutureCache<Int, Int>(maxCount: 1).future(on: .immediate, for: 1) { f } }),
    ("another queue", { f in FutureQueue().on(.immediate).enqueue { join([f]).map(on: .immediate) { $0[0] } } }),
    (
        "a disposable",
        { future in
            Future(on: .immediate) { completion in
                future.onResult(on: .immediate) { completion($0) }.disposable
            }
        }
    ),
    (
        "a disposable on another scheduler",
        { future in
            let own = Scheduler(label: "own")
            return Future(on: .immediate) { completion in
                let listener = future.onResult(on: .immediate) { completion($0) }
                return Disposer { own.sync { own.perform { _ = listener.cancel() } } }
            }
        }
    ),
    (
        "an onCancel",
        { future in
            let listener = future.onResult(on: .immediate) { _ in }
            return Future<Int>.never.onCancel(on: .immediate) { listener.cancel() }
        }
    ),
]

@Suite struct CombinedDisposingTests {
    @Test(arguments: 0..<shapes.count)
    func `an operation that its own disposable cancels keeps its turn until the disposal returns`(_ index: Int) {
        let (name, make) = shapes[index]
        let (log, queue) = (Log<String>(), FutureQueue())
        let own = Shared<Future<Int>?>(nil)
        let completion = Shared<Future<Int>.Completion?>(nil)
        own.value = queue.on(.immediate).enqueue {
            make(
                Future(on: .immediate) {
                    completion.value = $0
                    return Disposer {
                        own.value?.cancel()
                        log.add("has disposed")
                    }
                })
        }
        _ = queue.on(.immediate).run { log.add("next") }
        completion.value?(.success(1))
        #expect(log.entries == ["has disposed", "next"], "\(name)")
    }

    @Test func `an operation keeps its turn until all of its futures have been disposed`() {
        let (first, second) = (Log<String>(), Log<String>())
        let (one, two) = (Blocked(first), Blocked(second))
        let (queue, next) = (FutureQueue(), Log<Int>())
        let future = queue.on(.immediate).enqueue { join([one.future(), select(between: [two.future(), .never])]) }
        _ = queue.on(.immediate).run { next.add(1) }
        one.complete()
        two.complete()
        future.cancel()
        two.goOn()
        #expect(next.count == 0)
        one.goOn()
        #expect(next.count == 1)
    }
}
