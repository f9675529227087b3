// Retry rows: operations that fail and are retried.

import Futures

/// Operations that fail immediately and are retried immediately, many times.
let retryRows = [1000, 10_000, 100_000, 1_000_000].map { count in
    Row(
        name: "\(count.short) immediate retries", operations: count, isOnePass: count >= 100_000,
        isLong: count > 100_000, series: "retries",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes {
                    runs = 0
                    let failing = Future<Int>(on: .immediate) { completion in
                        Held.look(at: runs)
                        runs += 1
                        completion(.failure(failure))
                        return NilDisposer()
                    }
                    let repeated = failing.onErrorRepeat(on: .immediate, maxRepetitions: count)
                    precondition(repeated.isCompleted && runs == count + 1)
                }
            },
            // A loop: there is nothing to wait for.
            Contestant(.concurrency) { passes in
                inTask {
                    for _ in 0..<passes {
                        runs = 0
                        for _ in 0...count {
                            do { sink = try await fail() } catch { continue }
                        }
                    }
                }
            },
        ])
}

private struct Failure: Error {}

// One error for all attempts: the row measures retrying, not creating errors.
private let failure: any Error = Failure()

private nonisolated(unsafe) var runs = 0

@inline(never)
private func fail() async throws -> Int {
    runs += 1
    throw failure
}
