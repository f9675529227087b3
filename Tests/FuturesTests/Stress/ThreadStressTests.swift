// Threads that race on one future: listeners, cancels, detaches, completions, handlers, disposables.

import Dispatch
import Futures
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite struct OneFuture {
        @Test func `under any race, each listener is called once or was detached`() {
            rounds.rounds { random, _ in
                let promise = Promise<Int>()
                let audience = Audience()
                let seed = random.next()
                race { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for step in 0..<20 {
                        let listener = audience.join(promise.future)
                        switch random.next() % 8 {
                        case 0, 1, 2: audience.leave(listener)
                        case 3: promise.future.cancel()
                        case 4 where step > 10: promise.succeed(step)
                        case 5: audience.join(promise.future.map(on: .immediate) { $0 + 1 })
                        default: break
                        }
                    }
                }
                promise.succeed(1)
                audience.check()
            }
        }

        @Test func `a listener on a scheduler is called once or was detached`() {
            let schedulers = [Scheduler.background, Scheduler(label: "serial")]
            (rounds / 4).rounds { random, round in
                let promise = Promise<Int>()
                let scheduler = schedulers[round % 2]
                let group = DispatchGroup()
                let calls = Guarded<[Int]>([])
                race(3) { thread in
                    for step in 0..<10 {
                        group.enter()
                        let listener = promise.future.always(on: scheduler) {
                            calls.with { $0.append(thread * 10 + step) }
                            group.leave()
                        }
                        if step % 3 == 0 { listener.cancel() }
                        if step == 5, thread == 0 { promise.succeed(1) }
                    }
                }
                promise.succeed(1)
                group.expectDone()
                #expect(calls.with { $0.sorted() } == Array(0..<30))
            }
        }

        @Test func `an operation is disposed exactly once, before its listeners are called`() {
            rounds.rounds { random, _ in
                let operation = RacingOperation()
                let listener = operation.observe()
                operation.race(&random) {
                    listener.cancel()
                } or: {
                }
                #expect(operation.disposals.value == 1)
                #expect(operation.tooEarly.value == 0)
            }
        }

        @Test func `an operation is disposed once when another thread attaches during its cancel`() {
            // Its disposal does not always precede the call of that listener (Contract/Life.md).
            rounds.rounds { random, _ in
                let operation = RacingOperation()
                operation.race(&random) {
                    operation.future.cancel()
                } or: {
                    operation.observe()
                }
                #expect(operation.disposals.value == 1)
            }
        }

        /// An operation that is completed, abandoned and cancelled at the same time.
        private final class RacingOperation: Sendable {
            let future: Future<Int>
            let disposals = AtomicCounter()
            let tooEarly = AtomicCounter()
            private let handle = Guarded<Future<Int>.Completion?>(nil)

            init() {
                future = Future(on: .immediate) { [handle, disposals] completion in
                    handle.with { $0 = completion }
                    return Disposer { disposals.up() }
                }
            }

            @discardableResult
            func observe() -> Future<Int> {
                future.onResult(on: .immediate) { [disposals, tooEarly] _ in
                    if disposals.value != 1 { tooEarly.up() }
                }
            }

            func race(
                _ random: inout SplitMix, _ cancel: @escaping @Sendable () -> Void,
                or other: @escaping @Sendable () -> Void
            ) {
                let order = (0..<4).shuffled(using: &random)
                FuturesTests.race { [handle] thread in
                    switch order[thread] {
                    case 0: handle.with { $0 }?(.success(1))
                    case 1: cancel()
                    case 2: _ = handle.with { $0.take() }
                    default: other()
                    }
                }
                _ = handle.with { $0.take() }
                #expect(future.isCompleted)
            }
        }

        @Test func `an operation that completes on another thread before it has returned is disposed once`() {
            rounds.rounds { _, round in
                let disposals = AtomicCounter()
                let group = DispatchGroup()
                let future = Future<Int>(on: .immediate) { completion in
                    DispatchQueue.global().async(group: group) { completion(.success(round)) }
                    DispatchQueue.global().async(group: group) { completion(.success(round)) }
                    return Disposer { disposals.up() }
                }
                let calls = AtomicCounter()
                future.onValue(on: .immediate) { value in
                    if value == round && disposals.value == 1 { calls.up() }
                }
                group.expectDone()
                #expect(disposals.value == 1)
                #expect(calls.value == 1)
            }
        }

        @Test func `an operation that is cancelled before it starts never starts, or is disposed`() {
            rounds.rounds { _, _ in
                let begun = AtomicCounter()
                let disposed = AtomicCounter()
                let group = DispatchGroup()
                let future = Future<Int>(on: .background) { completion in
                    begun.up()
                    return Disposer { [completion] in
                        disposed.up()
                        completion(.success(1))
                    }
                }
                group.enter()
                let end = future.always(on: .immediate) { group.leave() }
                race(2) { _ in end.cancel() }
                group.expectDone()
                // The operation may be starting, and returning its disposable, right now.
                let queue = Scheduler(label: "behind", attributes: .concurrent)
                queue.sync {}
                #expect(begun.value <= 1)
                #expect(disposed.value <= begun.value)
                #expect(future.isCompleted)
            }
        }
    }

    @Suite struct Several {
        @Test func `a join and a select of futures that complete at the same time complete once`() {
            rounds.rounds { random, _ in
                let promises = (0..<4).map { _ in Promise<Int>() }
                let calls = AtomicCounter()
                let joined = join(promises.map(\.future)).onResult(on: .immediate) { _ in calls.up() }
                let selected = select(between: promises.map(\.future)).onResult(on: .immediate) { _ in calls.up() }
                let either = select(promises[0].future, or: promises[1].future)
                    .onResult(on: .immediate) { _ in calls.up() }
                let failing = Int(random.next() % 8)
                race { thread in
                    if thread == failing { promises[thread].fail(CancellationError()) }
                    promises[thread].succeed(thread)
                }
                #expect(calls.value == 3)
                #expect(selected.isCompleted && either.isCompleted)
                if failing > 3 { #expect(joined.success == [0, 1, 2, 3]) } else { #expect(joined.isCompleted) }
            }
        }

        @Test func `a join that is cancelled while its futures complete cancels them or gets their results`() {
            rounds.rounds { _, _ in
                let promises = (0..<3).map { _ in Promise<Int>() }
                let joined = join(promises.map(\.future))
                race { thread in
                    if thread == 3 { joined.cancel() } else { promises[thread].succeed(thread) }
                }
                #expect(joined.isCompleted)
                #expect(promises.allSatisfy { $0.future.isCompleted })
            }
        }

        @Test func `an abort whose signal races with the result or a cancel completes once`() {
            rounds.rounds { _, _ in
                let (promise, signal) = (Promise<Int>(), Promise<Void>())
                let ends = AtomicCounter()
                let end = promise.future.abort(forFutures: [signal.future]).always(on: .immediate) { ends.up() }
                race(3) { thread in
                    switch thread {
                    case 0: promise.succeed(1)
                    case 1: signal.succeed()
                    default: end.cancel()
                    }
                }
                #expect(end.isCompleted && ends.value == 1)
                #expect(promise.future.isCompleted && signal.future.success != nil)
            }
        }

        @Test func `a repetition that is cancelled while it fails stops`() {
            (rounds / 4).rounds { _, round in
                struct Failure: Error {}
                let tally = Tally()
                let group = DispatchGroup()
                do {
                    let scheduler: Scheduler = round % 2 == 0 ? .background : Scheduler(label: "serial")
                    let future = Future<Int>(on: scheduler) { completion in
                        let token = tally.token()
                        completion(.failure(Failure()))
                        return Disposer { withExtendedLifetime(token) {} }
                    }
                    group.enter()
                    let repeated = future.onErrorRepeat(on: scheduler) { _ in true }
                        .always(on: .immediate) { group.leave() }
                    race(2) { _ in repeated.cancel() }
                    #expect(repeated.isCompleted)
                    group.expectDone()
                }
                // The run in progress completes, and no other starts.
                expectSoon { tally.count == 0 }
            }
        }
    }
}
