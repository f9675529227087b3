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

    @Test(arguments: 0..<shapes.count)
    func `a wait in such a disposable throws if it needs the turn`(_ index: Int) async throws {
        let (name, make) = shapes[index]
        let (queue, rival) = (FutureQueue(), Rival())
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (result, kept) = (Shared<Result<Int, any Error>?>(nil), Shared<Future<Int>.Completion?>(nil))
        let future = queue.on(.immediate).enqueue {
            let source = Future<Int>(on: .immediate) { completion in
                kept.value = completion
                return Disposer {
                    entered.signal()
                    gate.wait()
                    result.value = Result { try queue.on(.immediate).run { 1 }.wait(timeout: testTimeout) }
                }
            }
            return make(source, rival).map(on: .immediate) { $0 }
        }
        Thread.detachNewThread { rival.ends() }
        try #require(entered.wait(timeout: .testTimeout) == .success, "\(name)")
        #expect(future.cancel())
        gate.signal()
        #expect(await comesTrue { result.value != nil && queue.isEmpty }, "\(name)")
        guard case .failure(QueueError.deadlock)? = result.value else {
            Issue.record("\(name): \(String(describing: result.value))")
            return
        }
    }

    @Test func `an operation that is cancelled while a combination in it ends keeps its turn`() async throws {
        for _ in 0..<10 {
            let (log, rival, queue) = (Log<String>(), Promise<Int>(), FutureQueue())
            let blocked = Blocked(log)
            // So many children take the time in which the cancel comes.
            let others = (0..<20_000).map { _ in Promise<Int>() }
            let isDisposing = DispatchSemaphore(value: 0)
            let hasCancelled = Shared(false)
            let future = queue.on(.immediate).enqueue {
                join([blocked.future()] + others.map(\.future) + [rival.future]).map(on: .immediate) { $0[0] }
                    .onCancel(on: .immediate) { isDisposing.wait() }
            }
            queue.on(.immediate).run { log.add("next") }
            Thread.detachNewThread {
                while !rival.future.isCompleted {}
                future.cancel()
                hasCancelled.value = true
            }
            try #require(blocked.isDisposed { rival.fail(Failed()) })
            isDisposing.signal()
            // A cancel that comes earlier disposes, and returns only when that does.
            if blocked.isDisposedBySender { #expect(await comesTrue { hasCancelled.value }) }
            #expect(log.entries == ["disposes"])
            blocked.goOn()
            #expect(await comesTrue { hasCancelled.value && log.entries.contains("next") })
            #expect(log.entries == ["disposes", "has disposed", "next"])
        }
    }

    @Test func `an operation keeps its turn until the closure of one in it that was aborted returns`()
        async throws
    {
        for form in disposingForms {
            let (log, inner) = (Log<String>(), FutureQueue(maxConcurrentCount: 2))
            let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let blocked = Blocked(log)
            // The abort ends both operations, and then disposes this one.
            let first = inner.on(.immediate).enqueue { blocked.future() }
            let future = form.enqueue(log, .immediate) {
                inner.on(.background).enqueue {
                    entered.signal()
                    gate.wait()
                    log.add("returns")
                    return Future(1)
                }.map(on: .immediate) { $0 }
            }
            try #require(entered.wait(timeout: .testTimeout) == .success, "\(form.name)")
            try #require(blocked.isDisposed { inner.cancelAll() }, "\(form.name)")
            #expect(future.cancel())
            #expect(log.entries == ["disposes"], "\(form.name)")
            gate.signal()
            blocked.goOn()
            #expect(await comesTrue { log.entries.contains("next") }, "\(form.name)")
            let entries = log.entries.filter { $0 == "returns" || $0 == "next" }
            #expect(entries == ["returns", "next"], "\(form.name)")
            withExtendedLifetime(first) {}
        }
    }

    @Test func `so does one where another thread completes the future in its closure`() async throws {
        let (queue, other) = (FutureQueue(), Scheduler(label: "other"))
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let result = Shared<Result<Int, any Error>?>(nil)
        let future = queue.on(.immediate).enqueue {
            Future<Int>(on: other) { completion in
                completion(.success(1))
                return Disposer {
                    entered.signal()
                    gate.wait()
                    result.value = Result { try queue.on(.immediate).run { 1 }.wait(timeout: testTimeout) }
                }
            }
        }
        try #require(entered.wait(timeout: .testTimeout) == .success)
        #expect(future.cancel())
        gate.signal()
        #expect(await comesTrue { result.value != nil && queue.isEmpty })
        guard case .failure(QueueError.deadlock)? = result.value else {
            Issue.record("\(String(describing: result.value))")
            return
        }
    }
}
