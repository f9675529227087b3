// RetryBudget: a limit of retries that futures share. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct RetryBudgetTests {
    private let time = VirtualTime(), runs = Shared(0)

    /// Runs `count` futures that fail or succeed, with a budget. Returns the number of repetitions.
    @discardableResult
    private func run(_ count: Int, succeeding: Bool = false, _ budget: RetryBudget) -> Int {
        let before = runs.value
        let policy = RetryPolicy(.constant(.zero), maxRepetitions: 3, budget: budget)
        for _ in 0..<count {
            _ = Future<Int>(on: .immediate) {
                let run = runs.increment()
                if !succeeding { throw Oops(run) }
                return run
            }.retry(policy, on: time.scheduler)
            time.run()
        }
        return runs.value - before - count
    }

    @Test func `a budget limits repetitions in proportion to the first runs`() {
        let budget = RetryBudget(ratio: 0.2, reserve: 5)
        // What the first run adds is too much.
        #expect(run(1000, budget) == 204)
        // A budget that suffices allows three for each run.
        #expect(run(10, RetryBudget(ratio: 3, reserve: 3)) == 30)
    }

    @Test func `a budget that is full has its reserve`() {
        let budget = RetryBudget(ratio: 1, reserve: 7)
        run(30, succeeding: true, budget)
        #expect(run(3, RetryBudget(ratio: 0, reserve: 7)) == 7)
        // Each of these runs adds one.
        #expect(run(4, budget) == 10)
    }

    @Test func `when a budget is used up, the error is passed on immediately`() {
        let attempts = Log<Duration?>()
        let policy = RetryPolicy(.constant(.seconds(1)), budget: RetryBudget(ratio: 1, reserve: 1))
        let future = time.scheduler.perform { Future<Int>(error: Oops()).retry(policy) { attempts.add($0.nextDelay) } }
        time.advance(by: .seconds(1))
        #expect(future.isCompleted)
        #expect(attempts.entries == [.seconds(1), nil])
    }

    @Test func `a retry that does not happen uses no budget`() {
        let (budget, failing) = (RetryBudget(ratio: 0, reserve: 4), Future<Int>(error: Oops()))
        for policy in [
            RetryPolicy(.constant(.zero), maxRepetitions: 0, budget: budget),
            RetryPolicy(.constant(.zero), timeLimit: .zero, budget: budget),
            RetryPolicy(.constant(.zero), budget: budget) { _ in false },
        ] {
            _ = failing.retry(policy, on: time.scheduler)
            time.run()
        }
        #expect([run(1, budget), run(1, budget)] == [3, 1])
    }
}
