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
        let budget = RetryBudget(ratio: 0.2, minimumPerSecond: 0)
        #expect(run(1000, budget) == 200)
        // A budget that suffices allows three for each run.
        #expect(run(10, RetryBudget(ratio: 3, minimumPerSecond: 0)) == 30)
    }

    @Test func `a budget always allows a minimum rate of repetitions`() {
        let budget = RetryBudget(ratio: 0, minimumPerSecond: 1, window: .seconds(10))
        #expect(run(2, budget) == 6)
        #expect(run(10, budget) == 4)
        time.advance(by: .seconds(11))
        #expect(run(10, budget) == 10)
    }

    @Test func `a budget counts only the runs and repetitions within its window`() {
        let budget = RetryBudget(ratio: 1, minimumPerSecond: 0, window: .seconds(10))
        run(30, succeeding: true, budget)
        time.advance(by: .seconds(5))
        run(10, succeeding: true, budget)
        #expect(run(1, budget) == 3)
        // The first 30 deposits have expired, and three of the later 11 are spent.
        time.advance(by: .seconds(6))
        #expect(run(6, budget) == 14)
        time.advance(by: .seconds(3600))
        #expect(run(2, budget) == 2)
    }

    @Test func `when a budget is used up, the error is passed on immediately`() {
        let attempts = Log<RetryAttempt.Outcome>()
        let policy = RetryPolicy(.constant(.seconds(1)), budget: RetryBudget(ratio: 1, minimumPerSecond: 0))
        let future = time.scheduler.perform { Future<Int>(error: Oops()).retry(policy) { attempts.add($0.outcome) } }
        time.advance(by: .seconds(1))
        #expect(future.isCompleted)
        #expect(attempts.entries == [.retry(after: .seconds(1)), .budgetExhausted])
    }

    @Test func `a retry that does not happen uses no budget`() {
        let (budget, failing) = (RetryBudget(ratio: 1, minimumPerSecond: 0), Future<Int>(error: Oops()))
        for policy in [
            RetryPolicy(.constant(.zero), maxRepetitions: 0, budget: budget),
            RetryPolicy(.constant(.zero), timeLimit: .zero, budget: budget),
            RetryPolicy(.constant(.zero), budget: budget) { _ in false },
        ] {
            _ = failing.retry(policy, on: time.scheduler)
            time.run()
        }
        // The deposits of the three runs, and of this one.
        #expect(run(1, budget) == 3)
        #expect(run(1, budget) == 2)
    }
}
