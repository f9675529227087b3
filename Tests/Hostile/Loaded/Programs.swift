// Programs: sums that are known, through queues, combinations, cancels, retries and deep chains.

import Dispatch
import Futures

private struct Oops: Error {}

/// A count without a lock: an operation that runs without its turn loses an increment.
private final class Count: @unchecked Sendable {
    var value = 0
}

func runPrograms() -> Int32 {
    var failures = Failures()
    let (queue, count) = (FutureQueue(), Count())
    let schedulers: [Scheduler] = [.background, .immediate, Scheduler(label: "own")]
    let futures = (0..<2000).map { number in
        queue.on(schedulers[number % 3]).enqueue {
            let value = count.value
            return Future(value).delay(by: .zero).map { count.value = $0 + 1 }
        }
    }
    // Without its turn, each fifth is cancelled before, while or after it runs.
    for index in futures.indices where index % 5 == 0 { futures[index].cancel() }
    let results = (try? Future.settle(futures).wait()) ?? []
    let successes = results.count { if case .success = $0 { true } else { false } }
    let total = (try? queue.enqueue { Future(count.value) }.wait()) ?? -1
    failures.check(
        (successes...2000).contains(total) && successes >= 1600, "\(total) increments of \(successes) successes")

    let sum = try? (0..<500).mapToFuture(maxConcurrentCount: 7) { number in
        Future(number).map(on: .background) { $0 * 2 }
    }.map { $0.reduce(0, +) }.wait()
    failures.check(sum == 249_500, "the sum is \(String(describing: sum))")

    let attempts = Count()
    let value = try? Future(
        on: .background,
        immediate: {
            attempts.value += 1
            if attempts.value < 4 { throw Oops() }
            return attempts.value
        }
    ).onErrorRepeat(maxRepetitions: 5).wait()
    failures.check(value == 4, "the value is \(String(describing: value))")

    let deep = try? sumToFuture(100_000, 0).wait()
    failures.check(deep == 5_000_050_000, "the deep sum is \(String(describing: deep))")

    var pending: Future<Int>? = {
        let promise = Promise<Int>()
        return (0..<100_000).reduce(promise.future) { future, _ in future.map(on: .immediate) { $0 + 1 } }
    }()
    failures.check(pending?.isCompleted == true, "the abandoned chain is pending")
    pending = nil
    return failures.count
}

private func sumToFuture(_ number: Int, _ sum: Int) -> Future<Int> {
    number == 0 ? Future(sum) : Future(sum + number).flatMap(on: .immediate) { sumToFuture(number - 1, $0) }
}
