// The client and the bank of Documentation/Guides/Faults.md and Simulation.md: tests without real time and without sockets.

import Futures
import FuturesTesting
import Testing

/// A client that queues, retries and times its requests.
private final class Client: Sendable {
    private let send: @Sendable (String) -> Future<String>
    private let requests = FutureQueue(maxConcurrentCount: 2)

    init(send: @escaping @Sendable (String) -> Future<String>) { self.send = send }

    /// A request may take five seconds, and all attempts with their pauses one minute.
    func page(_ path: String) -> Future<String> {
        let policy = RetryPolicy(.exponential(from: .seconds(1), upTo: .seconds(8)))
        return requests.enqueue { [send] in
            send(path).faultPoint("client.reply").timeout(after: .seconds(5)).retry(policy)
        }.timeout(after: .seconds(60))
    }
}

/// Accounts, between which each transfer takes two steps.
private final class Bank: Sendable {
    private let storage = Scheduler(label: "storage")
    private let balances = Shared(["Ada": 100, "Bob": 0])
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

@Suite struct ClientExampleTests {
    private let time = VirtualTime()

    @Test func `a client sends two requests at a time`() throws {
        let client = Client { path in Future(path).delay(by: .seconds(2)) }
        let pages = time.scheduler.perform { (1...4).map { client.page("\($0)") } }
        let timelines = pages.map { time.timeline(of: $0) }
        try time.runToEnd()
        #expect(timelines.map(\.drawing) == ["--1", "--2", "----3", "----4"])
    }

    @Test func `a client retries replies that are lost or late`() throws {
        time.inject(.failure(Oops()), at: "client.reply", times: 2)
        time.inject(.delay(.seconds(30)), at: "client.reply")
        let client = Client { path in Future(path) }
        let page = time.timeline(of: time.scheduler.perform { client.page("a") })
        try time.runToEnd()
        // Pauses of one, two and four seconds, and one time limit of five seconds.
        #expect(page.drawing == "------------a")
    }

    @Test func `a client gives up after a minute and leaves nothing behind`() throws {
        let client = Client { _ in Future.never }
        let page = time.scheduler.perform { client.page("a") }
        #expect(throws: FutureError.self) { try time.expectCompletes(page) }
        #expect(time.now == .seconds(60))
        try time.checkNothingPending()
    }

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

    @Test func `exploring finds no loss of ordered transfers, even if they fail or are cancelled in the middle`() throws
    {
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
