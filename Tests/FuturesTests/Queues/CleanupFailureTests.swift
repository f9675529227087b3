// Cleanups that fail. Contract/Turns.md

import Futures
import Testing

@Suite struct CleanupFailureTests {
    private let queue = FutureQueue()
    private let log = Log<String>()

    @Test(arguments: [false, true])
    func `a failed cleanup turns a success into its failure and leaves an error unchanged`(throwing: Bool) {
        queue.onCleanupFailure { _ in }
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

    @Test func `onCleanupFailure is called for every failed cleanup, before the next operation starts`() {
        queue.onCleanupFailure { [log] in log.add("handler: \(($0 as? Oops)?.number ?? 0)") }
        func add(_ number: Int, _ operation: @escaping @Sendable () -> Future<Int>) -> Future<Int> {
            let future = queue.on(.immediate).enqueue(operation) { _, _ in throw Oops(number) }
            _ = queue.on(.immediate).run { [log] in log.add("next") }
            return future
        }
        #expect(add(1) { Future(1) }.error as? Oops == Oops(1))
        #expect(add(2) { Future(error: Oops(0)) }.error as? Oops == Oops(0))
        add(3) { .never }.cancel()
        // Those of batches, and of operations in them, too.
        queue.on(.immediate).batch().enqueue { batch in
            batch.on(.immediate).enqueue({ Future(1) }, finally: { _, _ in throw Oops(4) })
        } finally: { _, _ in
            throw Oops(5)
        }
        #expect(log.entries == (1...3).flatMap { ["handler: \($0)", "next"] } + ["handler: 4", "handler: 5"])
    }

    @Test func `a failed cleanup that is not reported is written to standard error`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            func add(_ future: Future<Int>, _ number: Int) -> Future<Int> {
                FutureQueue().on(.immediate).enqueue({ future }, finally: { _, _ in throw Oops(number) })
            }
            add(Promise().future, 77).cancel()
            _ = add(Future(error: Oops(1)), 88)
            // The future reports this error.
            _ = add(Future(1), 99)
        }
        #expect(result.said.contains("The error is: Oops(number: 77)\n"))
        #expect(result.said.contains("The error is: Oops(number: 88)\n"))
        #expect(!result.said.contains("99"))
    }

    @Test(arguments: ["value", "cancel", "task"])
    func `a pool closes a resource whose cleanup has failed, and creates another one`(_ failure: String) async throws {
        let (made, closed) = (Shared(0), Log<Int>())
        let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout, on: .immediate) {
            Future(made.increment())
        } close: {
            Future(closed.add($0))
        }
        pool.onCleanupFailure { _ in }
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
        #expect(pool.runningCount == 0)
    }
}
