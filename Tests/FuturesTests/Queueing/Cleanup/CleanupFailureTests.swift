// Cleanups that fail. Contract/Turns.md

import Futures
import Testing

@Suite struct CleanupFailureTests {
    @Test func `a failed cleanup turns a success into its failure and leaves an error unchanged`() {
        for throwing in [false, true] {
            for (result, expected) in [(Result<Int, any Error>.success(1), Oops(9)), (.failure(Oops(2)), Oops(2))] {
                let queue = FutureQueue()
                queue.onCleanupFailure { _ in }
                let future = queue.on(.immediate).enqueue {
                    Future(result: result)
                } finally: { _, _ in
                    if throwing { throw Oops(9) }
                    return Future(error: Oops(9))
                }
                #expect(future.error as? Oops == expected)
                #expect(queue.isEmpty)
                #expect(queue.on(.immediate).enqueue { Future(3) }.success == 3)
            }
        }
    }

    @Test func `onCleanupFailure is called for every failed cleanup, before the next operation starts`() {
        let queue = FutureQueue()
        let log = Log<String>()
        queue.onCleanupFailure { log.add("handler: \(($0 as? Oops)?.number ?? 0)") }
        let operation = Promise<Int>()
        func add(_ number: Int, _ operation: @escaping @Sendable () -> Future<Int>) -> Future<Int> {
            let future = queue.on(.immediate).enqueue(operation) { _, _ in throw Oops(number) }
            queue.on(.immediate).enqueue { Future(log.add("next")) }
            return future
        }
        #expect(add(1) { Future(1) }.error as? Oops == Oops(1))
        #expect(add(2) { Future(error: Oops(0)) }.error as? Oops == Oops(0))
        add(3) { operation.future }.cancel()
        #expect(
            log.entries == ["handler: 1", "next", "handler: 2", "next", "handler: 3", "next"])
    }

    @Test func `onCleanupFailure can close the queue before another operation starts`() {
        let queue = FutureQueue()
        queue.onCleanupFailure { [weak queue] in
            queue?.close(with: $0)
            queue?.cancelAll(with: $0)
        }
        let gate = Promise<Int>()
        let first = queue.on(.immediate).enqueue {
            gate.future
        } finally: { _, _ in
            throw Oops(1)
        }
        let next = queue.on(.immediate).enqueue { Future(1) }
        first.cancel()
        #expect(next.error as? Oops == Oops(1))
        #expect(queue.closedError as? Oops == Oops(1))
    }

    @Test func `a failed cleanup that is not reported is written to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let queue = FutureQueue()
            let promise = Promise<Int>()
            queue.on(.immediate).enqueue {
                promise.future
            } finally: { _, _ in
                throw Oops(77)
            }.cancel()
            queue.on(.immediate).enqueue {
                Future<Int>(error: Oops(1))
            } finally: { _, _ in
                throw Oops(88)
            }
            // The future reports this error.
            queue.on(.immediate).enqueue {
                Future(1)
            } finally: { _, _ in
                throw Oops(99)
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("The error is: Oops(number: 77)\n"))
        #expect(said.contains("The error is: Oops(number: 88)\n"))
        #expect(!said.contains("99"))
    }

    @Test func `a pool closes a resource whose cleanup has failed, and creates another one`() async throws {
        for form in 0..<4 {
            let (made, closed) = (Shared(0), Log<Int>())
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
                Future(made.increment())
            } close: { number in
                Future(closed.add(number))
            }
            pool.onCleanupFailure { _ in }
            let gate = Promise<Int>()
            switch form {
            case 0:
                let first = pool.on(.immediate).enqueue {
                    Future($0)
                } finally: { _, _ in
                    throw Oops(1)
                }
                #expect(first.error as? Oops == Oops(1))
            case 1:
                pool.on(.immediate).enqueue { _ in
                    gate.future
                } finally: { _, _ in
                    Future(error: Oops(1))
                }.cancel()
            case 2:
                let first = pool.run {
                    $0
                } finally: { _, _ in
                    throw Oops(1)
                }
                #expect(await first.arrival().error as? Oops == Oops(1))
            default:
                #expect(
                    pool.on(.immediate).enqueue {
                        Future($0)
                    } finally: { _, _ in
                        Future()
                    }.success == 1)
            }
            let next = pool.on(.immediate).enqueue {
                Future($0)
            } finally: { _, _ in
                Future()
            }
            #expect(try await next.value == (form == 3 ? 1 : 2))
            #expect(closed.entries == (form == 3 ? [] : [1]))
            try await pool.close().value
            #expect(closed.entries == (form == 3 ? [1] : [1, 2]))
            #expect(pool.runningCount == 0)
        }
    }
}
