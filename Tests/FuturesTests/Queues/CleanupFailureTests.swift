// Cleanups that fail. Contract/Turns.md

import Futures
import Testing

@Suite struct CleanupFailureTests {
    private let queue = FutureQueue()

    @Test(arguments: [false, true])
    func `a failed cleanup turns a success into its failure and leaves an error unchanged`(throwing: Bool) {
        for (result, expected) in [(Result<Int, any Error>.success(1), Oops(9)), (.failure(Oops(2)), Oops(2))] {
            let future = queue.on(.immediate).enqueue {
                Future(result: result)
            } finally: { _, _ in
                if throwing { throw Oops(9) }
                return Future(error: Oops(9))
            }
            #expect(future.error as? Oops == expected)
            #expect(queue.isEmpty)
        }
    }

    @Test func `a cleanup that cannot repair the resource closes the queue before another operation starts`() {
        let first = queue.on(.immediate).enqueue {
            Future<Int>.never
        } finally: { [weak queue] _, _ in
            queue?.close(with: Oops(1))
            queue?.cancelWaiting()
            return Future()
        }
        let next = queue.on(.immediate).enqueue { Future(1) }
        first.cancel()
        #expect(next.isCancelled)
        #expect(queue.closedError as? Oops == Oops(1))
    }

    @Test(arguments: ["value", "cancel", "task", "none"])
    func `a pool closes a resource whose cleanup has failed, and creates another one`(_ failure: String) async throws {
        let (made, closed) = (Shared(0), Log<Int>())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
            Future(made.increment())
        } close: {
            Future(closed.add($0))
        }
        switch failure {
        case "value":
            let first = pool.on(.immediate).enqueue({ Future($0) }, finally: { _, _ in throw Oops(1) })
            #expect(first.error as? Oops == Oops(1))
        case "cancel":
            pool.on(.immediate).enqueue({ _ in Future<Int>.never }, finally: { _, _ in Future(error: Oops(1)) })
                .cancel()
        default:
            let first = pool.run({ try await Future($0).value }, finally: { _, _ in throw Oops(1) })
            #expect(await first.arrival().error as? Oops == Oops(1))
        }
        #expect(try await pool.on(.immediate).enqueue { Future($0) }.value == 2)
        #expect(closed.entries == [1])
        // The task that has awaited the value may continue before the thread of the callbacks has given back the turn.
        #expect(await comesTrue { pool.runningCount == 0 })
    }
}
