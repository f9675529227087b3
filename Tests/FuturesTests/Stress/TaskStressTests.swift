// Futures, tasks and asynchronous sequences under threads: cancels in both directions while results arrive.

import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Tasks {
        @Test func `a task that is cancelled while its future completes gets either outcome, others the value`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for round in 0..<rounds {
                let promise = Promise<Int>()
                let isShared = round % 2 == 0
                let heard = AtomicCounter()
                let other = isShared ? promise.future.onValue(on: .immediate) { _ in heard.up() } : nil
                var tasks: [Task<Int, any Error>] = []
                for _ in 0..<2 { tasks.append(await .begun { try await promise.future.value }) }
                race(3, within: .microseconds(5), &random) { [tasks] thread in
                    if thread == 2 { promise.succeed(round) } else { tasks[thread].cancel() }
                }
                for task in tasks { expect(await task.result, round) }
                #expect(promise.future.isCompleted)
                if let other { #expect(other.success == round && heard.value == 1) }
            }
        }

        @Test func `a future that is cancelled while its task finishes completes once, and its task ends`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for round in 0..<rounds / 2 {
                for kind in 0..<4 {
                    let (gate, ends, census) = (Promise<Void>(), AtomicCounter(), Census())
                    do {
                        let future = begin(kind, round, gate.future, census.make())
                        let end = future.always(on: .immediate) { ends.up() }
                        race(3, within: .microseconds(20), &random) { thread in
                            switch thread {
                            case 0: gate.succeed()
                            case 1: end.cancel()
                            default: future.cancel()
                            }
                        }
                        expect(await end.arrival(), round)
                        // `end` may be cancelled during the disposal on the thread of the task, which shows it later.
                        #expect(await comesTrue { future.isCompleted })
                    }
                    #expect(ends.value == 1)
                    await census.expectNone()
                }
            }
        }

        @Test func `an operation that its task cancels as it begins keeps its turn until the task ends`() async throws {
            for _ in 0..<10 * rounds {
                let (queue, isInUse, future) = (FutureQueue(), Shared(false), Shared<Future<Void>?>(nil))
                queue.isPaused = true
                future.value = queue.run {
                    isInUse.value = true
                    future.value?.cancel()
                    for _ in 0..<100 { await Task.yield() }
                    isInUse.value = false
                }
                let next = queue.on(.background).run { isInUse.value }
                Scheduler.background.async { queue.isPaused = false }
                #expect(try await next.value == false)
                future.value = nil
            }
        }

        /// Returns a future of a task that passes the gate, created in one of four ways.
        private func begin(_ kind: Int, _ round: Int, _ gate: Future<Void>, _ object: Census.Counted) -> Future<Int> {
            let pass: @Sendable () async throws -> Int = {
                try await gate.value
                return object.pass(round)
            }
            return switch kind {
            case 0: Future { try await pass() }
            case 1: Future(on: .background) { try await pass() }
            case 2: Future { @MainActor in try await pass() }
            default: Deferred { try await pass() }.start()
            }
        }

        private func expect(
            _ result: Result<Int, any Error>, _ value: Int, location: Testing.SourceLocation = #_sourceLocation
        ) {
            switch result {
            case .success(let other): #expect(other == value, sourceLocation: location)
            case .failure(let error): #expect(error is CancellationError, sourceLocation: location)
            }
        }
    }

    @Suite struct Sequences {
        @Test func `a loop over results that is cancelled while they arrive cancels the remaining futures`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for _ in 0..<rounds {
                let promises = (0..<3).map { _ in Promise<Int>() }
                let futures = promises.map { $0.future }
                let results = await Task<[Int], any Error>.begun {
                    var seen: [Int] = []
                    for await result in futures.results() { seen.append(result.offset) }
                    return seen
                }
                race(3, within: .microseconds(10), &random) { thread in
                    if thread == 2 { results.cancel() } else { promises[thread].succeed(thread) }
                }
                let seen = try! await results.value
                #expect([[], [0], [1], [0, 1]].contains(seen.sorted()))
                // The third future has no other listeners.
                #expect(await comesTrue { promises[2].future.isCancelled })
            }
        }

        @Test func `a future of a first element that is cancelled while elements arrive has one or none`() async {
            var random = SplitMix(.random(in: 0...(.max / 2)))
            for _ in 0..<rounds {
                let (stream, elements) = AsyncStream.makeStream(of: Int.self)
                let isLeft = Promise<Void>()
                elements.onTermination = { _ in isLeft.succeed() }
                let first = Future.first(of: stream)
                race(3, within: .microseconds(20), &random) { thread in
                    if thread == 2 { first.cancel() } else { elements.yield(thread) }
                }
                switch await first.arrival() {
                case .success(let value): #expect([0, 1].contains(value))
                case .failure(let error): #expect(error is CancellationError)
                }
                elements.finish()
                _ = await isLeft.future.arrival()
            }
        }
    }
}
