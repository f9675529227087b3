// Threads that race on futures of every kind: listeners, cancels, detaches, completions, waits, disposables.

import Futures
import FuturesTesting
import Testing

extension ThreadStressTests {
    @Suite struct Chains {
        @Test func `under any race, each future completes, each listener is called once or was detached`() {
            rounds.rounds { random, round in
                let web = Web(isKept: round % 2 == 0)
                let seed = random.next()
                race { web.run(thread: $0, SplitMix(seed &+ UInt64($0))) }
                web.finish()
            }
        }
    }
}

/// Futures that follow each other in every way, on which four threads act.
private final class Web: Sendable {
    /// An operation that any thread completes or abandons, and that counts its disposals.
    private final class Operation: Sendable {
        let (starts, disposals, tooEarly) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
        let completion = Shared<Future<Int>.Completion?>(nil)
        let future: Future<Int>

        init(on scheduler: Scheduler) {
            future = Future(on: scheduler) { [completion, disposals, starts] handle in
                completion.value = handle
                starts.up()
                return Disposer { disposals.up() }
            }
        }

        /// A listener that was attached before any cancel is called after the disposal.
        func observe() {
            future.onResult(on: .immediate) { [starts, disposals, tooEarly] _ in
                if disposals.value != starts.value { tooEarly.up() }
            }
        }
    }

    private final class Work: Sendable {
        let (begun, ended) = (AtomicCounter(), AtomicCounter())

        func begin() -> Disposer {
            begun.up()
            return Disposer { self.ended.up() }
        }
    }

    private let promises = (0..<4).map { _ in Promise<Int>() }, signal = Promise<Void>()
    private let operations = [Operation(on: .immediate), Operation(on: .background)]
    private let function = Shared<(@Sendable (Result<Int, Oops>) -> Void)?>(nil), time = VirtualTime()
    private let transforms = AtomicCounter(), work = Work()
    private let futures: [Future<Int>]
    private let audience = Audience()
    private let isKept: Bool
    private let serial = Scheduler(label: "serial")

    /// If all are kept, each future has a listener to its end, so that no cancel of another listener reaches it.
    init(isKept: Bool) {
        self.isKept = isKept
        let sources = promises.map(\.future) + operations.map(\.future)
        let linked = sources[1].flatMap(on: .immediate) { [transforms] _ in
            transforms.up()
            return sources[2]
        }
        let last = sources[3].flatMap(on: .immediate) { _ in linked }
        let called = Future<Int>.from { [function] completion in function.value = completion }
        let combined: [Future<Int>] = [
            join(sources[0..<3]).map(on: .immediate) { $0[0] },
            join(sources[0], sources[4]).map(on: .immediate) { $0.0 },
            select(between: sources[0..<3]),
            select(sources[3], or: sources[5]).map(on: .immediate) { _ in 1 },
        ]
        let limited: [Future<Int>] = [
            sources[1].abort(forFutures: [signal.future]).recover(on: .immediate) { _ in 1 },
            sources[3].timeout(after: .seconds(1), on: time.scheduler).recover(on: .immediate) { _ in 1 },
            sources[2].shieldedFromCancellation(),
            sources[2].performWhile(on: .immediate) { [work] in work.begin() },
            sources[3].performWhile(on: time.scheduler, delayBy: .seconds(1)) { [work] in work.begin() },
        ]
        futures = sources + [linked, last, called] + combined + limited
        if isKept {
            for future in futures { audience.join(future) }
            for operation in operations { operation.observe() }
        }
    }

    func run(thread: Int, _ generator: SplitMix) {
        var random = generator
        for step in 0..<20 {
            let future = random.pick(futures)
            switch random.next() % 16 {
            case 0, 1, 2: audience.leave(audience.join(future))
            case 3: audience.leave(audience.join(future.map(on: random.pick([serial, .background])) { $0 + 1 }))
            case 4: audience.join(future.map(on: .immediate) { $0 + 1 })
            case 5: audience.join(Future(1).flatMap(on: .immediate) { _ in future })
            case 6: if !isKept { future.cancel() }
            case 7: _ = future.result
            case 8: _ = try? future.wait(timeout: .microseconds(5))
            case 9 where thread == 0 && step > 10: time.advance(by: .seconds(1))
            case 10 where step > 5: signal.succeed()
            case 11 where step > 5: random.pick(promises).succeed(step)
            case 12 where step > 5 && !isKept: random.pick(promises).fail(Oops())
            case 13: random.pick(operations).completion.value?(.success(step))
            case 14: function.value?(.success(step))
            case 15 where !isKept: _ = random.pick(operations).completion.change { $0.take() }
            default: audience.join(future)
            }
        }
    }

    func finish() {
        for promise in promises { promise.succeed(1) }
        signal.succeed()
        function.change { $0.take() }?(.success(1))
        for operation in operations {
            expectSoon { operation.future.isCompleted || operation.starts.value == 1 }
            operation.completion.change { $0.take() }?(.success(1))
        }
        for future in futures {
            // What is performed by this clock ends there.
            expectSoon {
                time.run()
                return future.isCompleted
            }
        }
        audience.check()
        if isKept { #expect(futures.allSatisfy { $0.success != nil }) }
        for operation in operations {
            // A cancelled operation may be starting right now, and is disposed when it returns.
            expectSoon { operation.disposals.value == operation.starts.value }
            #expect(operation.starts.value <= 1 && operation.tooEarly.value == 0)
        }
        #expect(transforms.value <= 1)
        #expect([1, 2].contains(work.begun.value) && work.ended.value == work.begun.value)
    }
}
