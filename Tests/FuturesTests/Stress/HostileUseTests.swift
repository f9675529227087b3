// Hostile use: exit with pending work, static initialisers, child processes, distributed actors.

import Dispatch
import Distributed
import Foundation
import Futures
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A cycle of lazy initialisers through futures that run on other threads.
private enum Statics {
    static let first = Future(on: Scheduler(label: "first"), immediate: { 1 })
    /// Waits, while the runtime holds the lock of this initialiser, for code that reads another static variable.
    static let second =
        (try? Future(on: Scheduler(label: "second"), immediate: { Statics.third }).wait(timeout: testTimeout)) ?? 0
    static let third = (try? first.map(on: .background) { $0 + 2 }.wait(timeout: testTimeout)) ?? 0
    static let queue = FutureQueue()
}

private distributed actor Teller {
    typealias ActorSystem = LocalTestingDistributedActorSystem
    private var balance = 0
    private let scheduler = Scheduler(label: "teller")

    distributed func deposit(_ amount: Int) async throws -> Int {
        let amount = try await Future(on: scheduler, immediate: { amount }).map(on: scheduler) { $0 }.value
        balance += amount
        return balance
    }
}

@Suite struct HostileUseTests {
    @Test func `a process can exit at any time while work is pending and threads are busy`() async {
        for _ in 0..<3 {
            await #expect(processExitsWith: .exitCode(7)) {
                let schedulers = [.background, Scheduler(label: "serial"), .userInitiated]
                let queue = FutureQueue()
                for number in 0..<200 {
                    let (scheduler, next) = (schedulers[number % 3], schedulers[(number + 1) % 3])
                    @Sendable func loop() -> Future<Int> {
                        Future(on: scheduler, immediate: { number }).flatMap(on: next) { _ in loop() }
                    }
                    loop().onValue(on: scheduler) { _ in }
                    Future(1).delay(by: .microseconds(number)).onValue(on: scheduler) { _ in }
                    queue.on(scheduler).enqueue { Future(1).delay(by: .milliseconds(1)) }
                    Task { try await loop().value }
                }
                _ = try await Future(1).delay(by: .milliseconds(20)).value
                exit(7)
            }
        }
    }

    @Test func `static initialisers can wait for each other's futures on other threads`() {
        race(4) { thread in
            #expect((thread % 2 == 0 ? Statics.second : Statics.third) == 3)
            let result = Result { try Statics.queue.run { 5 }.wait(timeout: testTimeout) }
            #expect((try? result.get()) == 5, "\(result)")
        }
    }

    @Test func `child processes start while other threads hop and time`() async throws {
        let done = AtomicCounter()
        let busy = (0..<4).map { number in
            Future(on: .background, immediate: { number }).delay(by: .microseconds(50))
                .onValueRepeat(on: .background) { _ in done.value == 0 }
        }
        for _ in 0..<20 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "exit 3"]
            let end = Promise<Int32>()
            process.terminationHandler = { end.succeed($0.terminationStatus) }
            try process.run()
            #expect(try await end.future.timeout(after: testTimeout).value == 3)
        }
        done.up()
        for future in busy { _ = await future.arrival() }
    }

    @Test func `a distributed actor can await futures on its own scheduler`() async throws {
        let system = LocalTestingDistributedActorSystem()
        let teller = Teller(actorSystem: system)
        let remote = try Teller.resolve(id: teller.id, using: system)
        let balances = try await (1...20).mapToFuture(on: .background) { amount in
            Future { try await remote.deposit(amount) }
        }.value
        #expect(balances.max() == 210)
    }
}
