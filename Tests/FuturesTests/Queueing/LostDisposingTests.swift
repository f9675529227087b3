// An operation keeps its turn while its future disposes what has lost.

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

/// What may end the future of an operation before that has completed.
private struct Rival: Sendable {
    let promise = Promise<Int>()
    let time = VirtualTime()
    let queue = FutureQueue()

    /// The future of `promise`, at the end of a time limit, and of an operation in `queue`.
    func ends() {
        promise.fail(Failed())
        time.advance(by: .seconds(1))
        queue.cancelAll()
    }
}

private struct Failed: Error {}

/// Futures that one of those ends, while what they wait for is disposed.
private let shapes: [(name: String, make: @Sendable (Future<Int>, Rival) -> Future<Int>)] = [
    ("join", { a, b in join([a, b.promise.future]).map(on: .immediate) { $0[0] } }),
    ("join of three", { a, b in join(a, Future(1), b.promise.future).map(on: .immediate) { $0.0 } }),
    ("select", { a, b in select(between: [a, b.promise.future.always(on: .immediate) {}]) }),
    ("first", { a, b in Future.first(1, of: [.never, a, recovered(b.promise.future)]).map(on: .immediate) { $0[0] } }),
    ("firstSuccess", { a, b in Future.firstSuccess(of: [a, recovered(b.promise.future)]) }),
    ("nested", { a, b in join([Future(1), select(between: [a, b.promise.future])]).map(on: .immediate) { $0[1] } }),
    ("abort", { a, b in a.abort(forFutures: [b.promise.future]) }),
    (
        "mapToFuture",
        { a, b in
            let both = [a, b.promise.future]
            return both.mapToFuture(on: .immediate, maxConcurrentCount: 2) { $0 }.map(on: .immediate) { $0[0] }
        }
    ),
    ("timeout", { a, b in a.timeout(after: .seconds(1), on: b.time.scheduler) }),
    ("a value instead", { a, b in a.succeed(with: 1, after: .seconds(1), on: b.time.scheduler) }),
    ("a timeout in a join", { a, b in join([a.timeout(after: .seconds(1), on: b.time.scheduler)]).map { $0[0] } }),
    ("another future", { a, b in a.timeout(on: b.time.scheduler, after: .seconds(1)) { .never } }),
    ("another queue", { a, b in b.queue.on(.immediate).enqueue { a } }),
    (
        "a time limit of another queue",
        { a, b in FutureQueue(executeOn: b.time.scheduler).on(.immediate).enqueue(with: .runTimeout(.seconds(1))) { a }
        }
    ),
]

private func recovered(_ future: Future<Int>) -> Future<Int> { future.flatMapError(on: .immediate) { _ in Future(1) } }

@Suite struct LostDisposingTests {
    @Test(arguments: 0..<shapes.count)
    func `an operation that is cancelled while its future disposes what has lost keeps its turn`(_ index: Int)
        async throws
    {
        let (name, make) = shapes[index]
        for form in disposingForms {
            let (log, rival) = (Log<String>(), Rival())
            let blocked = Blocked(log)
            let future = form.enqueue(log, .immediate) {
                make(blocked.future(), rival).map(on: .immediate) { $0 }
            }
            try #require(blocked.isDisposed { rival.ends() }, "\(name) in \(form.name)")
            #expect(future.cancel())
            #expect(future.isCancelled)
            #expect(log.entries == ["disposes"], "\(name) in \(form.name)")
            blocked.goOn()
            #expect(await comesTrue { log.entries.contains("next") })
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }
}
