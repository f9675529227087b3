// Repeating a chain, and onErrorRepeat. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureOnErrorRepeatTests {
    /// Returns an operation that fails until its `count`th run, and counts its runs.
    private func failing(until count: Int, _ runs: Shared<Int>) -> Future<Int> {
        Future(on: .immediate) { completion in
            let run = runs.increment()
            completion(run < count ? .failure(Oops(run)) : .success(run))
            return NilDisposer()
        }
    }

    @Test func `a repetition runs the whole chain again, from its operation through all its transforms`() {
        let log = Log<String>()
        let runs = Shared(0)
        let future = failing(until: 0, runs)
            .map(on: .immediate) { run in
                log.add("map \(run)")
                return run
            }
            .flatMap(on: .immediate) { run in
                log.add("flatMap \(run)")
                return run < 3 ? Future(error: Oops(run)) : Future(run)
            }
            .onResult(on: .immediate) { _ in log.add("onResult") }
            .onErrorRepeat(on: .immediate) { _ in true }
        #expect(future.success == 3)
        #expect(log.entries == (1...3).flatMap { ["map \($0)", "flatMap \($0)", "onResult"] })
    }

    @Test func `a future that completed long ago can be repeated`() {
        let runs = Shared(0)
        let failed = failing(until: 3, runs).map(on: .immediate) { $0 * 10 }
        #expect(failed.error as? Oops == Oops(1))
        let repeated = failed.onErrorRepeat(on: .immediate) { _ in true }
        #expect(repeated.success == 30)
        #expect(failed.error as? Oops == Oops(1))
        #expect(runs.value == 3)
    }

    @Test func `each run of a combinator has a state of its own`() {
        let runs = (Shared(0), Shared(0))
        let both = join(failing(until: 0, runs.0), failing(until: 3, runs.1))
        let again = both.onErrorRepeat(on: .immediate) { _ in true }
        #expect(again.success.map { [$0.0, $0.1] } == [3, 3])

        let list = Shared(0)
        let all = join([failing(until: 0, list), failing(until: 0, list)])
            .map(on: .immediate) { values in
                guard values[0] > 4 else { throw Oops(values[0]) }
                return values
            }.onErrorRepeat(on: .immediate) { _ in true }
        #expect(all.success == [5, 6])

        let chosen = select(failing(until: 3, list), or: Future<Int>.never)
        list.value = 0
        #expect(chosen.onErrorRepeat(on: .immediate) { _ in true }.success != nil)
    }

    @Test func `every future can be repeated`() {
        let runs = Shared(0)
        let promise = Promise<Int>()
        promise.fail(Oops(1))
        func repeated(_ future: Future<Int>) -> Future<Int> {
            runs.value = 0
            return future.onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in
                runs.increment()
                return true
            }
        }
        // A future without an operation repeats its result.
        for future in [Future<Int>(error: Oops(1)), Future(result: .failure(Oops(1))), promise.future] {
            #expect(repeated(future).error as? Oops == Oops(1))
            #expect(runs.value == 2)
        }
        let operations = Shared(0)
        let immediate = Future<Int>(on: .immediate, immediate: { throw Oops(operations.increment()) })
        let kinds: [Future<Int>] = [
            immediate,
            immediate.recover(on: .immediate) { throw $0 },
            immediate.flatMapError(on: .immediate) { Future(error: $0) },
            immediate.mapResult(on: .immediate) { try $0.get() },
            immediate.flatMapResult(on: .immediate) { Future(result: $0) },
            immediate.onCancel(on: .immediate) {},
            immediate.always(on: .immediate) {},
        ]
        for kind in kinds {
            operations.value = 0
            #expect(repeated(kind).error as? Oops == Oops(2))
        }
        let delayed = immediate.delay(by: .seconds(1), on: VirtualTime().scheduler)
        #expect(repeated(delayed).result == nil)
    }
}

extension FutureOnErrorRepeatTests {
    @Test(arguments: 0...3) func `maxRepetitions limits the number of runs after the first one`(maximum: Int) {
        let runs = Shared(0)
        let future = failing(until: .max, runs).onErrorRepeat(on: .immediate, maxRepetitions: maximum) { _ in
            true
        }
        #expect(future.error as? Oops == Oops(maximum + 1))
        #expect(runs.value == maximum + 1)
    }

    @Test func `a delay comes between repetitions, but not after the last one`() {
        let time = VirtualTime()
        let runs = Shared(0)
        let future = failing(until: .max, runs).onErrorRepeat(
            on: time.scheduler, delayBetweenRepetitions: .seconds(10), maxRepetitions: 2
        ) { _ in true }
        time.run()
        #expect(runs.value == 1)
        time.advance(by: .seconds(9))
        #expect(runs.value == 1)
        time.advance(by: .seconds(1))
        #expect(runs.value == 2)
        time.advance(by: .seconds(10))
        #expect(runs.value == 3)
        #expect(future.error as? Oops == Oops(3))
        #expect(time.pendingCount == 0)
        #expect(time.now == .seconds(20))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a delay of zero or less between repetitions does not wait`(delay: Duration) {
        let time = VirtualTime()
        func counting() -> Future<Int> { failing(until: .max, Shared(0)) }
        for (index, future) in [
            counting().onErrorRepeat(on: .immediate, delayBetweenRepetitions: delay, maxRepetitions: 2) { _ in true },
            counting().onResultRepeat(on: .immediate, delayBetweenRepetitions: delay, maxRepetitions: 2) { _ in true },
            time.scheduler.perform {
                counting().onErrorRepeat(delayBetweenRepetitions: delay, maxRepetitions: 2)
            },
        ].enumerated() {
            #expect(future.error as? Oops == Oops(3), "\(index)")
        }
        let all = time.scheduler.perform {
            Future(1).repeatAndCollect(delayBetweenRepetitions: delay, maxRepetitions: 2) { _ in true }
        }
        #expect(all.success == [1, 1, 1])
        #expect(time.pendingCount == 0)
    }

    /// The repetitions that end by themselves only with a value.
    enum Endless: CaseIterable {
        case errors, asked, askedByFuture, results, retry

        func start(_ run: Future<Int>, on scheduler: Scheduler, maxRepetitions: Int? = nil) -> Future<Int> {
            switch self {
            case .errors: run.onErrorRepeat(on: scheduler, maxRepetitions: maxRepetitions)
            case .asked: run.onErrorRepeat(on: scheduler, maxRepetitions: maxRepetitions) { _ in true }
            case .askedByFuture: run.onErrorRepeat(on: scheduler, maxRepetitions: maxRepetitions) { _ in Future(true) }
            case .results: run.onResultRepeat(on: scheduler, maxRepetitions: maxRepetitions)
            case .retry: run.retry(RetryPolicy(.constant(.zero), maxRepetitions: maxRepetitions), on: scheduler)
            }
        }
    }

    @Test(arguments: Endless.allCases)
    func `without a delay and a limit, each repetition after the hundredth failure in a row waits for 100 ms`(
        _ way: Endless
    ) {
        let (time, runs) = (VirtualTime(), Shared(0))
        let endless = way.start(failing(until: .max, runs), on: time.scheduler)
        time.run()
        #expect(runs.value == 101)
        time.advance(by: .milliseconds(99))
        #expect(runs.value == 101)
        time.advance(by: .milliseconds(901))
        #expect(runs.value == 111)
        endless.cancel()
        #expect(time.pendingCount == 0)

        runs.value = 0
        let limited = way.start(failing(until: .max, runs), on: time.scheduler, maxRepetitions: 300)
        time.run()
        #expect(limited.isCompleted && runs.value == 301)
    }

    @Test func `a value starts the count of failures anew`() {
        let (time, runs) = (VirtualTime(), Shared(0))
        let future = Future<Int>(on: .immediate) { completion in
            let run = runs.increment()
            completion(run % 100 == 0 ? .success(run) : .failure(Oops(run)))
            return NilDisposer()
        }.onResultRepeat(on: time.scheduler) { result in (try? result.get()) != 1000 }
        time.run()
        #expect(future.success == 1000)
    }

    @Test(arguments: [Endless.errors, .results, .retry])
    func `without a predicate, a repetition ends with a CancellationError and the error of a closed queue`(
        _ way: Endless
    ) {
        let (queue, pool) = (FutureQueue(), ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) })
        queue.close()
        pool.close()
        for final in [
            Future<Int>(error: CancellationError()), queue.enqueue { Future(1) }, pool.enqueue { Future($0) },
        ] {
            let (time, runs) = (VirtualTime(), Shared(0))
            let run = Future<Int>(on: .immediate) { completion in
                completion(runs.increment() < 3 ? .failure(Oops()) : final.result!)
                return NilDisposer()
            }
            let repeated = way.start(run, on: time.scheduler)
            time.run()
            #expect(repeated.error is CancellationError || repeated.error as? QueueError == .closed)
            #expect(runs.value == 3)
        }
    }

    @Test func `a predicate that returns false passes the current error on`() {
        let runs = Shared(0)
        let plain = failing(until: .max, runs).onErrorRepeat(on: .immediate) { ($0 as? Oops) != Oops(3) }
        #expect(plain.error as? Oops == Oops(3))
        runs.value = 0
        let asked = failing(until: .max, runs).onErrorRepeat(on: .immediate) { error -> Future<Bool> in
            Future((error as? Oops) != Oops(3))
        }
        #expect(asked.error as? Oops == Oops(3))
    }

    @Test func `a predicate that only throws is one of Bool`() throws {
        let failed = Future<Int>(error: Oops(1))
        #expect(throws: Oops(1)) { try failed.onErrorRepeat { throw $0 }.wait() }
        #expect(throws: Oops(1)) { try failed.onErrorRepeat(on: .immediate) { throw $0 }.wait() }
        #expect(throws: Oops(1)) { try failed.onResultRepeat { _ in throw Oops(2) }.wait() }
        #expect(throws: Oops(1)) { try failed.onResultRepeat(on: .immediate) { _ in throw Oops(2) }.wait() }
        #expect(try Future(1).onValueRepeat { _ in throw Oops(2) }.wait() == 1)
        #expect(try Future(1).onValueRepeat(on: .immediate) { _ in throw Oops(2) }.wait() == 1)
        #expect(try Future(1).repeatAndCollect { _ in throw Oops(2) }.wait() == [1])
        #expect(try Future(1).repeatAndCollect(on: .immediate) { _ in throw Oops(2) }.wait() == [1])
    }

    @Test func `a predicate that fails passes the current error on`() {
        let runs = Shared(0)
        let thrown = failing(until: .max, runs).onErrorRepeat(on: .immediate) { _ -> Bool in throw Oops(-1) }
        #expect(thrown.error as? Oops == Oops(1))
        runs.value = 0
        let threw = failing(until: .max, runs).onErrorRepeat(on: .immediate) { _ -> Future<Bool> in
            throw Oops(-1)
        }
        #expect(threw.error as? Oops == Oops(1))
        runs.value = 0
        let failed = failing(until: .max, runs).onErrorRepeat(on: .immediate) { _ in
            Future<Bool>(error: Oops(-1))
        }
        #expect(failed.error as? Oops == Oops(1))
        #expect(runs.value == 1)
    }

    @Test func `a cancel stops the run, the delay or the predicate in progress`() {
        let time = VirtualTime()
        let runs = Shared(0)
        let delayed = failing(until: .max, runs).onErrorRepeat(
            on: .immediate, delayBetweenRepetitions: nil
        ) { _ in Future(true).delay(by: .seconds(1), on: time.scheduler) }
        #expect(time.pendingCount == 1)
        delayed.cancel()
        #expect(time.pendingCount == 0)
        #expect(delayed.isCancelled)
        #expect(runs.value == 1)
    }
}

extension FutureOnErrorRepeatTests {
    /// The number of repetitions without a pause after which the repetition yields to other work. The contract
    /// guarantees it.
    static let yieldInterval = 64

    @Test func `an endless repetition yields to other work on its scheduler`() {
        let time = VirtualTime()
        let runs = Shared(0)
        let runsBefore = Log<Int>()
        time.scheduler.async {
            Future<Int>(immediate: {
                guard runs.increment() < 1000 else { return 1 }
                throw Oops()
            })
            .onErrorRepeat(maxRepetitions: 1000) { _ in true }
            .onValue { _ in runsBefore.add(-1) }
        }
        time.scheduler.async { runsBefore.add(runs.value) }
        time.run()
        #expect(runsBefore.entries == [Self.yieldInterval, -1])
    }
}
