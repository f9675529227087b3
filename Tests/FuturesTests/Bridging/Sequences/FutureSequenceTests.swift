// Asynchronous sequences of futures' results. Contract/Async.md

import Futures
import FuturesTesting
import Testing

@MainActor @Suite struct FutureSequenceTests {
    @Test func `results come in the order in which the futures complete`() async {
        let promises = (0..<3).map { _ in Promise<Int>() }
        var results = promises.map { $0.future }.results().makeAsyncIterator()
        promises[2].succeed(20)
        promises[0].fail(Oops(1))
        promises[1].succeed(10)
        var seen: [String] = []
        while let next = await results.next() {
            seen.append("\(next.offset): \((try? next.result.get()).map { "\($0)" } ?? "failed")")
        }
        #expect(seen == ["2: 20", "0: failed", "1: 10"])
        for await _ in [Future<Int>]().results() { Issue.record("there are none") }
    }

    @Test func `values come in the order of the futures, and the first error ends them`() async throws {
        let promises = (0..<4).map { _ in Promise<Int>() }
        promises[1].succeed(1)
        promises[0].succeed(0)
        promises[2].fail(Oops(2))
        var values = promises.map { $0.future }.orderedValues().makeAsyncIterator()
        #expect(try await values.next() == 0)
        #expect(try await values.next() == 1)
        do {
            _ = try await values.next()
            Issue.record("the third one has failed")
        } catch {
            #expect(error as? Oops == Oops(2))
        }
        #expect(try await values.next() == nil)
        #expect(promises[3].future.isCancelled, "it has no other listeners")
    }

    @Test func `ending an iteration cancels the remaining futures, unless they have other listeners`() async throws {
        let (one, two, three) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
        let futures = [one.future, two.future, three.future]
        let other = two.future.map(on: .immediate) { $0 }
        one.succeed(1)
        for await result in futures.results() {
            #expect(result.offset == 0)
            break
        }
        #expect(three.future.isCancelled && !two.future.isCompleted)
        let four = Promise<Int>()
        for try await value in [one.future, two.future, four.future].orderedValues() {
            #expect(value == 1)
            break
        }
        #expect(four.future.isCancelled && !two.future.isCompleted)
        two.succeed(2)
        #expect(other.success == 2)
    }

    @Test func `cancelling the iterating task cancels the remaining futures, unless they have other listeners`() async {
        let hasBegun = Promise<Void>()
        let (one, two) = (Promise<Int>(), Promise<Int>())
        let task = Task {
            hasBegun.succeed()
            for await _ in [one.future].results() {}
        }
        let ordered = Task { for try await _ in [two.future].orderedValues() {} }
        _ = await hasBegun.future.arrival()
        task.cancel()
        ordered.cancel()
        await task.value
        await #expect(throws: CancellationError.self) { try await ordered.value }
        #expect(one.future.isCancelled && two.future.isCancelled)
    }

    @Test func `runs are a future and its repetitions, each started when it is requested`() async {
        let begun = Shared(0)
        let future = Future(on: .immediate, immediate: { begun.increment() })
        var runs = future.runs().makeAsyncIterator()
        #expect(begun.value == 1)
        for number in 1...3 {
            #expect(try! await runs.next()!.get() == number)
            #expect(begun.value == number)
        }
    }

    @Test func `runs are delayed by the clock of the scheduler that they are given`() async {
        let (time, begun) = (VirtualTime(), Shared(0))
        let all = Future(on: .immediate, immediate: { begun.increment() })
            .runs(on: time.scheduler, delayBetweenRepetitions: .seconds(10))
        // The task runs on the virtual clock's scheduler, so it gets on only when that clock is moved.
        let task = Task(executorPreference: time.scheduler) {
            for await run in all where (try? run.get()) == 3 { return }
        }
        time.advance(by: .seconds(9))
        #expect(begun.value == 1)
        time.advance(by: .seconds(1))
        #expect(begun.value == 2)
        time.advance(by: .seconds(10))
        await task.value
        #expect(begun.value == 3)
    }

    @Test func `runs end when their task is cancelled, even if they complete immediately`() async {
        let hasBegun = Promise<Void>()
        let task = Task.detached {
            var count = 0
            for await _ in Future(on: .immediate, immediate: { 1 }).runs() {
                count += 1
                hasBegun.succeed()
            }
            return count
        }
        _ = await hasBegun.future.arrival()
        task.cancel()
        #expect(await task.value > 0)
        let isStopped = Promise<Void>()
        let pending = Task { for await _ in stoppable({ isStopped.succeed() }).runs() {} }
        pending.cancel()
        await pending.value
        _ = await isStopped.future.arrival()
    }

    @Test func `a future of a sequence has its first element and then stops the iteration`() async throws {
        let (stream, elements) = AsyncStream.makeStream(of: Int.self)
        let first = Future.first(of: stream)
        elements.yield(5)
        elements.yield(6)
        #expect(try await first.value == 5)
        let (empty, none) = AsyncStream.makeStream(of: Int.self)
        none.finish()
        await #expect(throws: FutureError.noElement) { try await Future.first(of: empty).value }
        let isTerminated = Promise<Void>()
        let (pending, waiting) = AsyncStream.makeStream(of: Int.self)
        waiting.onTermination = { _ in isTerminated.succeed() }
        Future.first(of: pending).cancel()
        _ = await isTerminated.future.arrival()
        let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Oops(3)) }
        await #expect(throws: Oops(3)) { try await Future.first(of: failing).value }
    }

    @Test func `a future cancelled from upstream counts as a failure in a sequence`() async {
        let (cancelled, other) = (Promise<Int>(), Promise<Int>())
        let futures = [cancelled.future, other.future]
        var results = futures.results().makeAsyncIterator()
        var values = futures.orderedValues().makeAsyncIterator()
        futures[0].cancel()
        #expect(!futures[0].isCompleted, "the sequences listen")
        cancelled.fail(CancellationError())
        #expect((await results.next()).map { $0.offset == 0 && $0.result.isCancelled } == true)
        do {
            _ = try await values.next()
            Issue.record("the first one was cancelled")
        } catch {
            #expect(error is CancellationError)
        }
        other.succeed(1)
        #expect((await results.next())?.offset == 1)
        #expect((await results.next()) == nil)
        let begun = Shared(0)
        let run = Future(on: .immediate, immediate: { if begun.increment() == 1 { throw CancellationError() } })
        var runs = run.runs().makeAsyncIterator()
        #expect((await runs.next())?.isCancelled == true)
        #expect((await runs.next())?.isCancelled == false)
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
