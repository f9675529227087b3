// Repeating a chain, and onErrorRepeat. Contract/Repeating.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureOnErrorRepeatTests {
    private let runs = Shared(0), time = VirtualTime()

    /// Returns an operation that fails until its `count`th run.
    private func failing(until count: Int = .max, _ runs: Shared<Int>? = nil) -> Future<Int> {
        let runs = runs ?? self.runs
        return Future(on: .immediate) { completion in
            let run = runs.increment()
            completion(run < count ? .failure(Oops(run)) : .success(run))
            return NilDisposer()
        }
    }

    @Test func `a repetition runs the whole chain again, from its operation through all its transforms`() {
        let log = Log<String>()
        let future = failing(until: 0)
            .map(on: .immediate) { run in log.add("map \(run)", returning: run) }
            .flatMap(on: .immediate) { run in
                log.add("flatMap \(run)", returning: run < 3 ? Future(error: Oops(run)) : Future(run))
            }
            .onResult(on: .immediate) { _ in log.add("onResult") }
            .onErrorRepeat(on: .immediate) { _ in true }
        #expect(future.success == 3)
        #expect(log.entries == (1...3).flatMap { ["map \($0)", "flatMap \($0)", "onResult"] })
    }

    @Test func `a future that completed long ago can be repeated`() {
        let failed = failing(until: 3).map(on: .immediate) { $0 * 10 }
        #expect(failed.error as? Oops == Oops(1))
        #expect(failed.onErrorRepeat(on: .immediate) { _ in true }.success == 30)
        #expect(failed.error as? Oops == Oops(1))
    }

    @Test func `each run of a combinator has a state of its own`() {
        let both = join(failing(until: 0), failing(until: 3, Shared(0))).onErrorRepeat(on: .immediate) { _ in true }
        #expect(both.success.map { [$0.0, $0.1] } == [3, 3])
        let list = Shared(0)
        let all = join([failing(until: 0, list), failing(until: 0, list)])
            .map(on: .immediate) { values in
                guard values[0] > 4 else { throw Oops(values[0]) }
                return values
            }.onErrorRepeat(on: .immediate) { _ in true }
        #expect(all.success == [5, 6])
    }

    @Test(arguments: 0...10)
    func `a repetition of a combination runs a source that its futures share once for each of them`(depth: Int) {
        var future = failing(until: 0)
        for _ in 0..<depth { future = join(future, future).map(on: .immediate) { max($0.0, $0.1) } }
        #expect(runs.value == 1)
        #expect(future.repeatAndCollect(on: .immediate, maxRepetitions: 1).success == [1, 1 + 1 << depth])
    }

    @Test func `every future can be repeated`() {
        let promise = Promise<Int>()
        promise.fail(Oops(1))
        let immediate = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
        let kinds: [(Future<Int>, isShared: Bool)] = [
            // A future without an operation repeats its result.
            (Future<Int>(error: Oops(1)), true), (Future(result: .failure(Oops(1))), true), (promise.future, true),
            (immediate, false), (immediate.recover(on: .immediate) { throw $0 }, false),
            (immediate.flatMapError(on: .immediate) { Future(error: $0) }, false),
            (immediate.mapResult(on: .immediate) { try $0.get() }, false),
            (immediate.flatMapResult(on: .immediate) { Future(result: $0) }, false),
            (immediate.onCancel(on: .immediate) {}, false), (immediate.always(on: .immediate) {}, false),
        ]
        for (index, (kind, isShared)) in kinds.enumerated() {
            runs.value = 0
            let repeated = kind.onErrorRepeat(on: .immediate, maxRepetitions: 2) { _ in true }
            #expect(repeated.error as? Oops == Oops(isShared ? 1 : 2), "\(index)")
        }
    }

    @Test(arguments: 0...3) func `maxRepetitions limits the number of runs after the first one`(maximum: Int) {
        let future = failing().onErrorRepeat(on: .immediate, maxRepetitions: maximum) { _ in true }
        #expect(future.error as? Oops == Oops(maximum + 1))
        #expect(runs.value == maximum + 1)
    }

    @Test func `a delay comes between repetitions, but not after the last one`() {
        let future = failing().onErrorRepeat(
            on: time.scheduler, delayBetweenRepetitions: .seconds(10), maxRepetitions: 2
        ) { _ in true }
        time.advance(by: .seconds(9))
        #expect(runs.value == 1)
        time.advance(by: .seconds(1))
        #expect(runs.value == 2)
        time.advance(by: .seconds(10))
        #expect(future.error as? Oops == Oops(3))
        #expect(time.pendingCount == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a delay of zero or less between repetitions does not wait`(delay: Duration) {
        let asked = failing().onErrorRepeat(
            on: .immediate, delayBetweenRepetitions: delay, maxRepetitions: 2
        ) { _ in true }
        #expect(asked.error as? Oops == Oops(3))
        time.scheduler.perform {
            let plain = failing().onErrorRepeat(delayBetweenRepetitions: delay, maxRepetitions: 2)
            #expect(plain.error as? Oops == Oops(6))
            let all = Future(1).repeatAndCollect(delayBetweenRepetitions: delay, maxRepetitions: 2) { _ in true }
            #expect(all.success == [1, 1, 1])
        }
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
    func `without a delay and a limit, each repetition of a failure after the hundredth waits for 100 ms`(
        _ way: Endless
    ) {
        let endless = way.start(failing(), on: time.scheduler)
        time.run()
        #expect(runs.value == 101)
        time.advance(by: .milliseconds(99))
        #expect(runs.value == 101)
        time.advance(by: .milliseconds(901))
        #expect(runs.value == 111)
        endless.cancel()
        #expect(time.pendingCount == 0)

        let limited = way.start(failing(until: .max, Shared(0)), on: time.scheduler, maxRepetitions: 300)
        time.run()
        #expect(limited.error as? Oops == Oops(301))
    }

    @Test func `repetitions of values do not wait`() {
        let run = failing(until: 0).map(on: .immediate) { run in
            if run > 100, run % 100 == 0 { throw Oops(run) }
            return run
        }
        let future = run.onResultRepeat(on: time.scheduler) { result in (try? result.get()) != 1001 }
        time.run()
        #expect(runs.value == 200)
        time.advance(by: .milliseconds(900))
        #expect(future.success == 1001)
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
            let runs = Shared(0)
            let repeated = way.start(failing(until: 3, runs).flatMap(on: .immediate) { _ in final }, on: time.scheduler)
            time.run()
            #expect(repeated.error is CancellationError || repeated.error as? QueueError == .closed)
            #expect(runs.value == 3)
        }
    }

    @Test func `a predicate that returns false, throws or fails passes the current result on`() {
        func expect<T>(_ error: Oops?, _ future: Future<T>) {
            #expect(Result { try future.wait(timeout: testTimeout) }.error as? Oops == error)
        }
        expect(Oops(3), failing().onErrorRepeat(on: .immediate) { ($0 as? Oops) != Oops(3) })
        expect(Oops(6), failing().onErrorRepeat(on: .immediate) { Future(($0 as? Oops) != Oops(6)) })
        expect(Oops(7), failing().onErrorRepeat(on: .immediate) { _ -> Bool in throw Oops(-1) })
        expect(Oops(8), failing().onErrorRepeat(on: .immediate) { _ -> Future<Bool> in throw Oops(-1) })
        expect(Oops(9), failing().onErrorRepeat(on: .immediate) { _ in Future<Bool>(error: Oops(-1)) })
        // One that only throws is one of Bool.
        expect(Oops(10), failing().onErrorRepeat { throw $0 })
        expect(Oops(11), failing().onResultRepeat { _ in throw Oops(2) })
        expect(nil, Future(1).onValueRepeat { _ in throw Oops(2) })
        expect(nil, Future(1).repeatAndCollect { _ in throw Oops(2) })
    }

    @Test func `a cancel stops the run, the delay or the predicate in progress`() {
        let ways = [
            Future(1).delay(by: .seconds(1), on: time.scheduler).onErrorRepeat(on: .immediate) { _ in true },
            failing().onErrorRepeat(on: time.scheduler, delayBetweenRepetitions: .seconds(1)) { _ in true },
            failing().onErrorRepeat(on: .immediate) { [time] _ in
                Future(true).delay(by: .seconds(1), on: time.scheduler)
            },
        ]
        time.run()
        #expect(time.pendingCount == 3)
        for future in ways { future.cancel() }
        #expect(ways.map(\.isCancelled) == [true, true, true])
        #expect(time.pendingCount == 0)
        #expect(runs.value == 2)
    }

    @Test(arguments: [Scheduler.immediate, Scheduler(label: "repetition")])
    func `a predicate that cancels its own repetition is the last one`(_ scheduler: Scheduler) {
        let (gate, ended, own) = (Promise<Void>(), Signal(), Shared<Future<[Int]>?>(nil))
        own.value = gate.future.flatMap(on: .immediate) { failing(until: 0) }
            .repeatAndCollect(on: scheduler) { _ in own.value?.cancel() == true }
            .onCancel(on: .immediate) { ended.send() }
        gate.succeed()
        #expect(ended.comes())
        scheduler.sync {}
        #expect(runs.value == 1)
        own.value = nil
    }

    @Test func `an endless repetition yields to other work on its scheduler`() {
        let runsBefore = Log<Int>()
        time.scheduler.async { [runs] in
            Future<Int>(immediate: { throw Oops(runs.increment()) })
                .onErrorRepeat(maxRepetitions: 1000) { _ in true }
                .onError { _ in runsBefore.add(-1) }
        }
        time.scheduler.async { [runs] in runsBefore.add(runs.value) }
        time.run()
        // The number of repetitions without a pause, which the contract guarantees.
        #expect(runsBefore.entries == [64, -1])
    }
}
