// wait: blocks a thread until a future completes. Contract/Waiting.md

import Dispatch
import Futures
import Testing

/// The tests are not async functions, where `wait` is unavailable.
@Suite struct FutureWaitTests {
    @Test func `wait returns the value or throws the error, on any thread`() throws {
        let elsewhere = Scheduler(label: "elsewhere", qos: .userInitiated, attributes: .concurrent)
        #expect(try Future(1).wait() == 1)
        #expect(throws: Oops.self) { try Future<Int>(error: Oops()).wait() }
        #expect(throws: CancellationError.self) { try Future<Int>(error: CancellationError()).wait() }
        #expect(try Future(on: elsewhere, immediate: { 2 }).wait(timeout: testTimeout) == 2)

        let (promise, heard) = (Promise<Int>(), Log<Int>())
        let waiter: @Sendable () -> Void = { heard.add((try? promise.future.wait(timeout: testTimeout)) ?? -1) }
        race(
            waiter, waiter, { elsewhere.sync(waiter) }, { Scheduler(label: "serial").sync(waiter) },
            { promise.succeed(3) })
        #expect(heard.entries == [3, 3, 3, 3])
    }

    @Test func `wait throws after its timeout and does not affect the future`() throws {
        let promise = Promise<Int>()
        let future = promise.future.map(on: .immediate) { $0 }
        #expect(timeLimit { try future.wait(timeout: .milliseconds(1)) } == .milliseconds(1))
        #expect(timeLimit { try future.wait(timeout: .zero) } == .zero)
        #expect(!future.isCompleted)
        promise.succeed(1)
        #expect(try future.wait(timeout: .zero) == 1)
    }

    @Test func `a wait may have any timeout`() throws {
        let promise = Promise<Int>()
        otherThreads.async { promise.succeed(1) }
        #expect(try promise.future.wait(timeout: .seconds(Int64.max)) == 1)
        #expect(throws: FutureError.self) { try Promise<Int>().future.wait(timeout: .seconds(-1)) }
    }

    @Test func `a wait that timed out leaves nothing behind`() {
        let census = Census()
        func waitInVain() {
            let captured = census.make()
            let future = Future<Int>.never.map(on: .immediate) { captured.pass($0) }
            #expect(throws: FutureError.self) { try future.wait(timeout: .milliseconds(1)) }
        }
        waitInVain()
        #expect(census.alive == 0)
        // Its listener is detached, so it does not prevent a cancel.
        let promise = Promise<Int>()
        #expect(throws: FutureError.self) { try promise.future.wait(timeout: .milliseconds(1)) }
        promise.future.cancel()
        #expect(promise.future.isCancelled)
    }

    @Test func `on a serial scheduler that the future needs, wait traps and names the scheduler`() async {
        let direct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (printer, gate) = (Scheduler(label: "the printer"), Promise<Int>())
            block(printer, on: gate.future.map(on: printer) { $0 })
        }
        expectTrap(direct, saying: "the printer")
        // It has a time limit, so the message claims no more than a timeout.
        expectTrap(direct, saying: "wait(timeout:) would always time out")
        expectTrap(direct, saying: "FuturesTests/FutureWaitTests.swift:")
    }

    @Test func `wait traps if a combination cannot complete without a blocked scheduler`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (printer, gate) = (Scheduler(label: "the printer"), Promise<Int>())
            let (needing, free) = (gate.future.map(on: printer) { $0 }, gate.future.map(on: .background) { $0 })
            block(printer, on: select(needing, or: join(needing, free)).map(on: .immediate) { _ in 1 })
        }
        expectTrap(result, saying: "the printer")
    }

    @Test func `wait returns if a combination can complete without the blocked scheduler`() throws {
        let (printer, elsewhere) = (Scheduler(label: "the printer"), Scheduler(label: "elsewhere"))
        let gate = Promise<Int>()
        try printer.sync { () throws in
            // Prevents its cancellation.
            gate.future.onValue(on: .immediate) { _ in }
            func needing() -> Future<Int> { gate.future.map(on: printer) { $0 } }
            let limit = timeLimit {
                try needing().timeout(after: .milliseconds(1), on: elsewhere).wait(timeout: testTimeout)
            }
            #expect(limit == .milliseconds(1))
            let free = Future(on: elsewhere, immediate: { 1 })
            let winner = try select(between: [needing(), free.delay(by: .milliseconds(1), on: elsewhere)]).wait()
            #expect(winner == 1)
            let signal = Future(2).delay(by: .milliseconds(1), on: elsewhere)
            #expect(throws: CancellationError.self) {
                try needing().abort(forFutures: [signal]).wait(timeout: testTimeout)
            }
            let many = (0..<100_000).reduce(free) { all, _ in all.performWhile(on: .immediate) { NilDisposer() } }
            let last = try many.wait(timeout: testTimeout)
            #expect(last == 1)
        }
    }

    @Test func `on a serial scheduler that the future does not need, wait returns`() throws {
        let printer = Scheduler(label: "the printer")
        let value = try printer.sync {
            try Future(on: .background, immediate: { 1 }).map(on: .background) { $0 + 1 }
                // Applies to errors only, so the value skips it.
                .recover(on: printer) { _ in 0 }
                .wait(timeout: testTimeout)
        }
        #expect(value == 2)
        // A value that has already passed through the scheduler no longer needs it.
        let through = try printer.sync { () -> Int in
            let future: Future<Int> = Future(1).map { $0 + 1 }
            return try future.wait(timeout: testTimeout)
        }
        #expect(through == 2)
        let many = Scheduler(label: "many", qos: .userInitiated, attributes: .concurrent)
        let concurrent = try many.sync { () -> Int in
            let future: Future<Int> = Future(on: many, immediate: { 1 }).map(on: many) { $0 }
            return try future.wait(timeout: testTimeout)
        }
        #expect(concurrent == 1)
    }

    @Test func `in a main-queue block, wait traps if the future needs the main queue`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ended = Promise<Void>()
            DispatchQueue.main.async {
                let future = Future<Int>.never.map(on: .background) { $0 }
                block(.immediate, on: future.map(on: .main) { $0 })
                ended.succeed()
            }
            _ = await ended.future.arrival()
        }
        expectTrap(result, saying: "main")
    }

    @Test func `in a main-queue block, wait returns if the future does not need the main queue`() async throws {
        let ended = Promise<Int>()
        DispatchQueue.main.async {
            ended.complete(Result { try Future(on: .background, immediate: { 1 }).wait(timeout: testTimeout) })
        }
        #expect(try await ended.future.arrival().get() == 1)
    }
}

/// Waits for `future` on `scheduler`. Not an async function, so that it may wait.
private func block(_ scheduler: Scheduler, on future: Future<Int>) {
    scheduler.sync { _ = try? future.wait(timeout: .milliseconds(100)) }
}
