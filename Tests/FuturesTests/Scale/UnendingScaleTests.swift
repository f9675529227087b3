// Operations that can never complete, each waiting for the next: in any number. Contract/Scale.md

import Futures
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct UnendingScaleTests {
        @Test(arguments: Unending.allCases, [false, true])
        func `a million operations that wait for one that never completes are released with 512 KiB of stack`(
            _ form: Unending, hasCleanup: Bool
        ) {
            let count = isDebug ? 10_000 : form == .pool || hasCleanup ? 200_000 : 1_000_000
            for isNested in [true, false] {
                let tally = Tally()
                let cleanups = Shared(0)
                onSmallStack {
                    let chain = Chain(form: form, tally: tally, cleanups: hasCleanup ? cleanups : nil)
                    if isNested { chain.nest(count) } else { chain.build(count) }
                    #expect(tally.count == 0)
                    #expect(cleanups.value == (hasCleanup ? count : 0))
                }
            }
        }
    }
}

/// The kinds of objects whose operations may wait for each other.
enum Unending: String, CaseIterable, Sendable {
    case queue, keyed, mutex, pool
}

/// Operations, each of its own queue: each waits for the next one, and the last one for a future that never completes.
private struct Chain: Sendable {
    let form: Unending
    let tally: Tally
    /// Counts the cleanups; nil if the operations have none.
    let cleanups: Shared<Int>?

    /// Enqueues operations from within each other.
    @discardableResult
    func nest(_ count: Int) -> Future<Int> {
        if count == 0 { return .never }
        let token = tally.token()
        return operation { withExtendedLifetime(token) { nest(count - 1) } }.0
    }

    /// Enqueues operations without nested calls. Releases the queue of the innermost operation last.
    func build(_ count: Int) {
        var queues: [any Sendable] = []
        var future = Future<Int>.never
        for _ in 0..<count {
            let (inner, token) = (future, tally.token())
            let (outer, queue) = operation { withExtendedLifetime(token) { inner } }
            queues.append(queue)
            future = outer
        }
        while !queues.isEmpty { queues.removeLast() }
    }

    private func operation(_ body: @escaping @Sendable () -> Future<Int>) -> (Future<Int>, any Sendable) {
        switch form {
        case .queue:
            let queue = FutureQueue()
            guard let cleanups else { return (queue.on(.immediate).enqueue(body), queue) }
            return (queue.on(.immediate).enqueue(body) { _, _ in cleanups.counted() }, queue)
        case .keyed:
            let queue = KeyedFutureQueue<Int>()
            guard let cleanups else { return (queue[1].on(.immediate).enqueue(body), queue) }
            return (queue[1].on(.immediate).enqueue(body) { _, _ in cleanups.counted() }, queue)
        case .mutex:
            let mutex = FutureMutex()
            guard let cleanups else { return (mutex.on(.immediate).enqueue(body), mutex) }
            return (mutex.on(.immediate).enqueue(body) { _, _ in cleanups.counted() }, mutex)
        case .pool:
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) { Future(1) }
            guard let cleanups else { return (pool.on(.immediate).enqueue { _ in body() }, pool) }
            return (
                pool.on(.immediate).enqueue { _ in
                    body()
                } finally: { _, _ in
                    cleanups.counted()
                }, pool
            )
        }
    }
}

extension Shared<Int> {
    fileprivate func counted() -> Future<Void> {
        increment()
        return Future()
    }
}
