// The bank of Documentation/Guides/Faults.md and Simulation.md: races and faults that explorations find.

import Futures
import FuturesTesting
import Testing

/// Accounts, between which each transfer takes two steps.
private final class Bank: Sendable {
    private let storage = Scheduler(label: "storage"), balances = Shared(["Ada": 100, "Bob": 0])
    private let queue = FutureQueue()

    var total: Int { balances.value.values.reduce(0, +) }
    func balance(of name: String) -> Int { balances.value[name]! }

    private func read(_ name: String) -> Future<Int> {
        Future(on: .background, immediate: { self.balance(of: name) })
    }

    private func write(_ balance: Int, of name: String) -> Future<Void> {
        Future(on: storage, immediate: { self.balances.change { $0[name] = balance } })
    }

    private func change(_ name: String, by amount: Int) -> Future<Void> {
        read(name).flatMap { self.write($0 + amount, of: name) }
    }

    /// The planted race: between reading and writing, another transfer may write.
    func transferUnordered(_ amount: Int, from: String, to: String) -> Future<Void> {
        change(from, by: -amount).flatMap { self.change(to, by: amount) }
    }

    /// One transfer at a time; if it fails in the middle, it gives back what it has taken.
    func transfer(_ amount: Int, from: String, to: String) -> Future<Void> {
        queue.enqueue {
            self.change(from, by: -amount).flatMap {
                Future(()).faultPoint("bank.taken").flatMap { self.change(to, by: amount) }
                    .flatMapError { error in self.change(from, by: amount).flatMap { Future(error: error) } }
            }
        }
    }
}

@Suite struct BankExampleTests {
    @Test func `exploring finds that unordered transfers lose money`() throws {
        let failure = try #require(throws: Simulation.Failure.self) {
            try Simulation.explore {
                let bank = Bank()
                _ = try join((1...2).map { _ in bank.transferUnordered(10, from: "Ada", to: "Bob") }).wait()
                try Simulation.check(bank.balance(of: "Bob") == 20, "Bob has \(bank.balance(of: "Bob"))")
            }
        }
        #expect(failure.runCount < 1000)
    }

    @Test func `exploring finds no loss of ordered transfers, even if they fail or are cancelled midway`() throws {
        try Simulation.explore(runs: 300) {
            let bank = Bank()
            Simulation.inject(.failure(Oops()), at: "bank.taken")
            Simulation.inject(.cancel, at: "bank.taken")
            let transfers = (1...2).map { _ in bank.transfer(10, from: "Ada", to: "Bob") }
            _ = try Future.settle(transfers).wait()
            try Simulation.check(bank.total == 100, "the total is \(bank.total)")
        }
    }
}
