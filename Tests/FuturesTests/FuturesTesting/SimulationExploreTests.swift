// Simulation.explore: many orders of the same code. Contract/Testing.md

import Futures
import FuturesTesting
import Testing

@Suite struct SimulationExploreTests {
    /// Two deposits that read the balance, and write it in another job.
    private func deposit(_ balance: Shared<Int>, by queue: FutureQueue<Void>?) throws {
        let bank = Scheduler(label: "bank")
        let deposit: @Sendable () -> Future<Void> = {
            Future(on: .background, immediate: { balance.value })
                .onValue(on: bank) { balance.value = $0 + 50 }.asVoid()
        }
        _ = try join((0..<2).map { _ in queue.map { $0.enqueue(deposit) } ?? deposit() }).wait()
        try Simulation.check(balance.value == 100, "the balance is \(balance.value)")
    }

    @Test func `an exploration finds a race, and its failure can be replayed`() throws {
        let failure = try #require(
            #expect(throws: Simulation.Failure.self) { try Simulation.explore { try deposit(Shared(0), by: nil) } })
        #expect(failure.runCount < 50)
        let balance = Shared(0)
        #expect(throws: (any Error).self) {
            try Simulation.replay(failure.schedule, seed: failure.seed) { try deposit(balance, by: nil) }
        }
        #expect(balance.value == 50)
        #expect("\(failure)".contains("Simulation.replay(\"\(failure.schedule)\", seed: 0)"))
        #expect("\(failure)".contains("1. Scheduler(futures.background), one of 2, at 0.0 seconds"))
        #expect(failure.error is Simulation.CheckFailed && "\(failure)".contains("the balance is 50"))
    }

    @Test func `all orders of a small program are tried`() throws {
        let exploration = try Simulation.explore(runs: 10_000) { try deposit(Shared(0), by: FutureQueue()) }
        #expect(exploration.isExhaustive)
        let orders = Shared<Set<[Int]>>([])
        let permutations = try Simulation.explore(runs: 1000) {
            let log = Log<Int>()
            for number in 0..<4 { Scheduler.background.async { log.add(number) } }
            _ = try Future(1).delay(by: .seconds(1)).wait()
            orders.change { $0.insert(log.entries) }
        }
        #expect(permutations.isExhaustive && permutations.runCount == 24)
        #expect(orders.value.count == 24)
    }

    @Test func `a bug behind many choices is found by random priorities`() throws {
        // One callback has to run behind all others, and another one before all.
        let failure = #expect(throws: Simulation.Failure.self) {
            try Simulation.explore(runs: 2000) {
                let log = Log<Int>()
                for number in 0..<12 {
                    let scheduler = Scheduler(label: "\(number)")
                    for _ in 0..<3 { scheduler.async { log.add(number) } }
                }
                _ = try Future(1).delay(by: .seconds(1)).wait()
                let entries = log.entries
                try Simulation.check(entries.suffix(3) != [5, 5, 5] || entries.prefix(3) != [7, 7, 7])
            }
        }
        #expect(failure != nil)
    }

    @Test func `an exploration of a task tries its orders too`() throws {
        #expect(throws: Simulation.Failure.self) {
            try Simulation.explore(task: {
                let counter = Shared(0)
                async let first: Void = increment(counter)
                async let second: Void = increment(counter)
                _ = await (first, second)
                try Simulation.check(counter.value == 2)
            })
        }
    }
}

private func increment(_ counter: Shared<Int>) async {
    let value = counter.value
    await Task.yield()
    counter.value = value + 1
}
