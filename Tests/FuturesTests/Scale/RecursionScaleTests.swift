// Recursion: ten million flatMaps and a million retries, in constant memory and stack. Contract/Memory.md

import Dispatch
import Futures
import Synchronization
import Testing

extension ScaleTests {
    @Suite(.serialized) struct RecursionScaleTests {
        private static let megabyte = 1 << 20

        @Test func `ten million immediate steps of a recursive flatMap use constant memory and stack`() {
            let tally = Tally()
            let count = scaled(10_000_000)
            let growth = growth { _ in #expect(Recursion(tally).immediate(count).success == 0) }
            #expect(growth < Self.megabyte)
            #expect(tally.peak < 100)
            #expect(tally.count == 0)
        }

        @Test func `ten million steps of promises that are completed later use constant memory and stack`() {
            let tally = Tally()
            let recursion = Recursion(tally)
            let count = scaled(10_000_000)
            let growth = growth { sample in
                let end = recursion.later(count)
                for step in 0..<count {
                    recursion.completeNext()
                    if step % (count / 10) == 0 { sample() }
                }
                #expect(end.success == 0)
            }
            #expect(growth < Self.megabyte)
            #expect(tally.peak < 100)
            #expect(tally.count == 0)
        }

        @Test func `a million steps of a recursive flatMap between two schedulers use constant memory and stack`()
            throws
        {
            let tally = Tally()
            let recursion = Recursion(tally)
            // By now, the threads exist.
            _ = try recursion.hopping(scaled(100_000)).wait()
            let growth = try growth { sample in
                let end = try recursion.hopping(scaled(1_000_000)).wait()
                #expect(end == 0)
                sample()
            }
            // Dispatch keeps some megabytes for a while, whatever the number of steps. Without links, it would be 300.
            #expect(growth < 32 * Self.megabyte)
            #expect(tally.peak < 200)
        }

        @Test func `recursion uses constant stack also on a thread with 512 KiB of it`() {
            onSmallStack {
                let recursion = Recursion(Tally())
                let count = scaled(10_000_000)
                #expect(recursion.immediate(count).success == 0)
                let end = recursion.later(count)
                for _ in 0..<count { recursion.completeNext() }
                #expect(end.success == 0)
            }
        }

        @Test
        func `recursion that ends in a pending future can be cancelled, and is deallocated when released`() {
            let tally = Tally()
            let recursion = Recursion(tally)
            let count = scaled(1_000_000)
            do {
                let end = recursion.later(count)
                for _ in 0..<(count / 2) { recursion.completeNext() }
                end.cancel()
                #expect(end.result.map(isCancellation) == true)
            }
            recursion.forget()
            #expect(tally.count == 0)
            do {
                _ = recursion.later(count)
                for _ in 0..<(count / 2) { recursion.completeNext() }
            }
            recursion.forget()
            #expect(tally.count == 0)
        }

        @Test func `a million retries use constant memory and stack`() throws {
            let tally = Tally()
            let count = scaled(1_000_000)
            for scheduler in [Scheduler.immediate, Scheduler(label: "retries")] {
                let runs = Atomic<Int>(0)
                let growth = try growth { _ in
                    // Fails without a throw, as the test library keeps a backtrace of thrown errors.
                    let failing = Future<Int>(on: scheduler) { completion in
                        let run = runs.add(1, ordering: .relaxed).newValue
                        let error = Recursion.Failure(token: tally.token())
                        completion(run > count ? .success(run) : .failure(error))
                        return NilDisposer()
                    }
                    let last = try failing.onErrorRepeat(on: scheduler, maxRepetitions: count).wait()
                    #expect(last == count + 1)
                }
                #expect(growth < Self.megabyte)
                #expect(tally.peak < 100)
                // The scheduler's queue may not have released the last job yet.
                scheduler.sync {}
            }
            #expect(tally.count == 0)
        }
    }
}

/// Recursive futures. Each step's closure holds a token.
private final class Recursion: Sendable {
    struct Failure: Error {
        var token: Tally.Token?
    }

    private let tally: Tally
    private let next = Slot<Promise<Int>>()
    private let made = Slot<Future<Int>>()
    private let one = Scheduler(label: "one")
    private let two = Scheduler(label: "two")

    init(_ tally: Tally) { self.tally = tally }

    func immediate(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let token = tally.token()
        return Future(count).flatMap(on: .immediate) { count in
            withExtendedLifetime(token) { self.immediate(count - 1) }
        }
    }

    func later(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let token = tally.token()
        let promise = Promise<Int>()
        next.value = promise
        let future = promise.future.flatMap(on: .immediate) { _ in
            withExtendedLifetime(token) { self.later(count - 1) }
        }
        made.value = future
        return future
    }

    func hopping(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let token = tally.token()
        return Future(on: one, immediate: { count }).flatMap(on: two) { count in
            withExtendedLifetime(token) { self.hopping(count - 1) }
        }
    }

    func completeNext() {
        made.value = nil
        next.take()?.succeed(1)
    }

    func forget() {
        made.value = nil
        _ = next.take()
    }
}

/// A variable for tests that use one thread at a time.
// Safe to share: only one thread uses it at a time.
private final class Slot<Value>: @unchecked Sendable {
    var value: Value?

    func take() -> Value? { value.take() }
}

private func isCancellation<T>(_ result: Result<T, any Error>) -> Bool {
    if case .failure(let error) = result { error is CancellationError } else { false }
}
