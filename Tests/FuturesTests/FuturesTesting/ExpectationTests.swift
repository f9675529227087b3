// expectCompletes, expectNeverCompletes, expectReleased. Contract/Testing.md

import Futures
import FuturesTesting
import Testing

@Suite struct ExpectationTests {
    private let time = VirtualTime()

    private func failure(_ body: () throws -> Void) -> String? {
        #expect(throws: ExpectationFailed.self, performing: body)?.description
    }

    @Test func `expectCompletes moves virtual time until the future completes, and no further`() throws {
        time.scheduler.async(after: .seconds(60)) {}
        let future = Future(1).delay(by: .seconds(5), on: time.scheduler)
        #expect(try time.expectCompletes(future) == 1)
        #expect(time.now == .seconds(5))
        #expect(throws: Oops(2)) { try time.expectCompletes(Future<Int>(error: Oops(2))) }
    }

    @Test func `expectCompletes says what a pending future waits for, and where that was expected`() throws {
        let (promise, made) = (Promise<Int>(), #line)
        let future = promise.future.map(on: time.scheduler) { $0 }
        let (words, expected) = (failure { try time.expectCompletes(future) }, #line)
        let file = "FuturesTests/ExpectationTests.swift"
        let lines = words?.split(separator: "\n").map(String.init) ?? []
        #expect(
            lines.first
                == "At \(file):\(expected): After 0.0 seconds, the future is still pending. It waits for a completion "
                + "of the future made at \(file):\(made).")
        #expect(lines.count > 2 && lines[1] == "Its chain:", "\(lines)")
        #expect(lines.count > 2 && lines[2].hasSuffix(" ← Promise at \(file):\(made), not completed"), "\(lines)")
    }

    @Test func `expectCompletes waits for real threads, up to its limit`() async throws {
        func late() -> Future<Int> { Future(on: .background, immediate: { 2 }).map(on: .background) { $0 } }
        let inPlace: () throws -> Int = { try expectCompletes(late()) }
        #expect(try inPlace() == 2)
        #expect(try await expectCompletes(late()) == 2)
        let promise = Promise<Int>()
        let words = failure { try expectCompletes(promise.future, within: .milliseconds(1)) }
        #expect(words?.contains("It waits for a completion") == true)
        await #expect(throws: ExpectationFailed.self) {
            try await expectCompletes(promise.future, within: .milliseconds(1))
        }
        #expect(throws: Oops(1)) { try expectCompletes(Future<Int>(error: Oops(1))) }
    }

    @Test func `in asynchronous code, expectCompletes says what the future waited for, and cancels it`() async {
        let (promise, made) = (Promise<Int>(), #line)
        let future = promise.future.map(on: .immediate) { $0 }
        let error = await #expect(throws: ExpectationFailed.self) {
            try await expectCompletes(future, within: .milliseconds(1))
        }
        let words = "It waits for a completion of the future made at FuturesTests/ExpectationTests.swift:\(made)."
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(future.isCancelled)
    }

    @Test func `expectNeverCompletes runs all of virtual time`() throws {
        let promise = Promise<Int>()
        time.scheduler.async(after: .seconds(5)) {}
        try time.expectNeverCompletes(promise.future)
        #expect(time.now == .seconds(5))
        let words = failure { try time.expectNeverCompletes(Future(1).delay(by: .seconds(2), on: time.scheduler)) }
        #expect(words?.contains("After 7.0 seconds, the future has completed, although it never should: ") == true)
    }

    private final class Client: Sendable { func touch() {} }

    @Test func `expectReleased gives up the reference, and says what to look for if there is another one`() throws {
        var client: Client? = Client()
        try expectReleased(&client)
        #expect(client == nil)
        let kept = Client()
        client = kept
        let words = failure { try expectReleased(&client, within: .zero) }
        #expect(words?.contains("Client is still referenced. Look for a pending future") == true)
        #expect(failure { try expectReleased(&client, within: .zero) }?.contains("it is nil") == true)
        kept.touch()
    }

    @Test func `expectReleased waits for other threads, and in a simulation for jobs`() throws {
        let gate = Promise<Void>()
        var client: Client? = Client()
        Scheduler.background.async { [client] in
            try? gate.future.wait(timeout: testTimeout)
            client?.touch()
        }
        Scheduler.background.async { gate.succeed() }
        try expectReleased(&client, within: testTimeout)
        try Simulation.run(seed: 1) {
            client = Client()
            Scheduler.background.async(after: .seconds(60)) { [client] in client?.touch() }
            try expectReleased(&client)
            #expect(Simulation.elapsed == .seconds(60))
        }
    }
}
