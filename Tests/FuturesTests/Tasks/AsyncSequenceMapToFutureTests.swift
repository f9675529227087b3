// Futures of the elements of asynchronous sequences. Contract/Combining.md

import Futures
import Testing

/// Numbers from zero; notes which were requested, and whether the task was cancelled.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var count = Int.max
    let requested = Log<Int>()
    var number = 0

    func makeAsyncIterator() -> Numbers { self }

    mutating func next() async throws -> Int? {
        guard number < count else { return nil }
        try Task.checkCancellation()
        await Task.yield()
        requested.add(number)
        number += 1
        return number - 1
    }
}

/// Numbers from zero, the third one behind a gate; it does not notice that its task is cancelled.
private struct Stubborn: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let gate: Future<Void>
    let ended = AtomicCounter()
    var number = 0

    func makeAsyncIterator() -> Stubborn { self }

    mutating func next() async -> Int? {
        if number == 2 {
            await withCheckedContinuation { continuation in
                gate.always(on: .immediate) { continuation.resume() }
            }
            ended.up()
        }
        number += 1
        return number - 1
    }
}

@Suite struct AsyncSequenceMapToFutureTests {
    @Test(arguments: [1, 3, .max])
    func `the values come in the order of an asynchronous sequence's elements`(_ limit: Int) async throws {
        let time = [5, 1, 3, 0, 2]
        let values = try await Numbers(count: 5).mapToFuture(maxConcurrentCount: limit) { number in
            Future("\(number)").delay(by: .milliseconds(time[number]), on: .background)
        }.value
        #expect(values == ["0", "1", "2", "3", "4"])
        let stream = AsyncStream<Int> { stream in
            stream.yield(7)
            stream.finish()
        }
        #expect(try await stream.mapToFuture { Future($0) }.value == [7])
        #expect(try await Numbers(count: 0).mapToFuture { Future($0) }.value == [])
    }

    @Test func `an element is requested from an asynchronous sequence only when its future may start`() async throws {
        let (numbers, promises) = (Numbers(count: 4), (0..<4).map { _ in Promise<Int>() })
        let started = Log<Int>()
        let all = numbers.mapToFuture(maxConcurrentCount: 2) { number in
            started.add(number, returning: promises[number].future)
        }
        #expect(await comesTrue { started.entries == [0, 1] })
        // The third one would be there soon.
        for _ in 0..<100 { await Task.yield() }
        #expect(numbers.requested.entries == [0, 1] && started.entries == [0, 1])
        promises[1].succeed(1)
        #expect(await comesTrue { started.entries == [0, 1, 2] })
        for promise in promises { promise.succeed(9) }
        #expect(try await all.value == [9, 1, 9, 9])
    }

    @Test(arguments: [true, false])
    func `a failure or a cancel ends the task of an asynchronous sequence and what is in progress`(fails: Bool) async {
        let (numbers, cancelled, started) = (Numbers(), Log<Int>(), AtomicCounter())
        let promises = (0..<3).map { _ in Promise<Int>() }
        let all = numbers.mapToFuture(maxConcurrentCount: 3) { number in
            started.up()
            return promises[number].future.onCancel(on: .immediate) { cancelled.add(number) }
        }
        #expect(await comesTrue { started.value == 3 })
        if fails { promises[1].fail(Oops(1)) } else { all.cancel() }
        #expect(await comesTrue { all.isCompleted })
        #expect(fails ? all.error as? Oops == Oops(1) : all.isCancelled)
        #expect(await comesTrue { cancelled.entries.sorted() == (fails ? [0, 2] : [0, 1, 2]) })
        #expect(numbers.requested.entries == [0, 1, 2])
    }

    @Test func `an error of an asynchronous sequence fails the future and cancels what is in progress`() async throws {
        let (cancelled, started, never) = (Log<Int>(), Promise<Void>(), Promise<Int>())
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let all = stream.mapToFuture(maxConcurrentCount: 3) { number in
            started.succeed()
            return never.future.onCancel(on: .immediate) { cancelled.add(number) }
        }
        continuation.yield(0)
        try await started.future.value
        continuation.finish(throwing: Oops(1))
        await #expect(throws: Oops(1)) { try await all.value }
        #expect(await comesTrue { cancelled.entries == [0] })
        let thrown = Numbers().mapToFuture { number -> Future<Int> in throw Oops(7) }
        await #expect(throws: Oops(7)) { try await thrown.value }
        withExtendedLifetime(never) {}
    }

    @Test func `after a cancel or a failure, a sequence that ignores the cancel gets no more futures`() async throws {
        for fails in [true, false] {
            let (gate, called) = (Promise<Void>(), Log<Int>())
            let sequence = Stubborn(gate: gate.future)
            let all = sequence.mapToFuture(maxConcurrentCount: 9) { number -> Future<Int> in
                called.add(number)
                if fails, number == 1 { throw Oops(1) }
                return Future(number)
            }
            #expect(await comesTrue { called.entries == [0, 1] })
            if !fails { all.cancel() }
            #expect(await comesTrue { all.isCompleted })
            gate.succeed()
            #expect(await comesTrue { sequence.ended.value == 1 })
            #expect(called.entries == [0, 1])
        }
    }

    @Test func `each result of an asynchronous sequence's elements is reported, failures included`() async throws {
        let log = Log<String>()
        try await Numbers(count: 4).forEachToFuture { number in
            if number == 1 { throw Oops(1) }
            return number == 2 ? Future(error: Oops(2)) : Future(number)
        } onResult: { number, result in
            log.add("\(number) \((try? result.get()).map { "\($0)" } ?? "failed")")
        }.value
        #expect(log.entries == ["0 0", "1 failed", "2 failed", "3 3"])
        let stopped = Numbers().forEachToFuture {
            Future($0)
        } onResult: { number, _ in
            if number == 5 { throw Oops(5) }
        }
        await #expect(throws: Oops(5)) { try await stopped.value }
    }
}
