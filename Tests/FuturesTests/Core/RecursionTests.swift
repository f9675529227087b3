// Contract, rule 20: no size is too large.

import Dispatch
import Futures
import Testing

/// What is constant shows in how many captured objects live at once, and in the resident memory of a child process.
@Suite(.serialized) struct RecursionTests {
    #if DEBUG
        /// Fewer in an unoptimised build, which is so much slower: what overflows or grows does so by then.
        static let tenMillion = 200_000
        static let million = 50_000
    #else
        static let tenMillion = 10_000_000
        static let million = 1_000_000
    #endif

    /// What runs must not let live at once: a few, whatever the number of steps.
    static let fewObjects = 100

    @Test func `endless recursion of flatMap takes constant memory and stack, with immediate steps`() {
        let count = Self.tenMillion
        let census = Census()
        let last = Shared<Future<Int>?>(nil)
        let ended = onAnotherThread(stackSize: smallStack) {
            @Sendable func loop(_ step: Int) -> Future<Int> {
                let captured = census.make()
                guard step < count else { return Future(step) }
                return Future(step).flatMap(on: .immediate) { captured.pass(loop($0 + 1)) }
            }
            last.value = loop(0)
        }
        #expect(ended)
        #expect(last.value?.value == count)
        #expect(census.peak <= Self.fewObjects)
    }

    @Test func `endless recursion of flatMap takes constant memory and stack, with asynchronous steps`()
        throws
    {
        let count = Self.million
        let census = Census()
        let scheduler = Scheduler(label: "steps")
        @Sendable func loop(_ step: Int) -> Future<Int> {
            let captured = census.make()
            guard step < count else { return Future(step) }
            let promise = Promise<Int>()
            scheduler.async { promise.succeed(step) }
            return promise.future.flatMap(on: scheduler) { captured.pass(loop($0 + 1)) }
        }
        #expect(try loop(0).wait(timeout: patience) == count)
        #expect(census.peak <= Self.fewObjects)
    }

    @Test func `endless recursion whose steps attach to what waits takes constant memory and stack`() {
        let count = Self.million
        let census = Census()
        let last = Shared<Future<Int>?>(nil)
        let promise = Promise<Int>()
        let ended = onAnotherThread(stackSize: smallStack) {
            @Sendable func loop(_ step: Int) -> Future<Int> {
                let captured = census.make()
                guard step < count else { return promise.future }
                return Future(step).map(on: .immediate) { $0 }
                    .flatMap(on: .immediate) { captured.pass(loop($0 + 1)) }
                    .mapError(on: .immediate) { throw $0 }
            }
            last.value = loop(0)
            promise.succeed(7)
        }
        #expect(ended)
        #expect(last.value?.value == 7)
    }

    @Test(arguments: [Scheduler.immediate, Scheduler(label: "retries")])
    func `any number of retries takes constant memory and stack`(scheduler: Scheduler) throws {
        let count = Self.million
        let census = Census()
        let runs = Shared(0)
        let made = Shared<Future<Int>?>(nil)
        let ended = onAnotherThread(stackSize: smallStack) {
            made.value = Future<Int>(on: scheduler) { completion in
                let captured = census.make()
                completion(runs.increment() > count ? .success(captured.pass(1)) : .failure(Oops()))
                return NilDisposer()
            }.map(on: .immediate) { $0 }.onErrorRepeat(on: scheduler) { _ in true }
        }
        #expect(ended)
        #expect(try made.value!.wait(timeout: patience) == 1)
        #expect(runs.value == count + 1)
        #expect(census.peak <= Self.fewObjects)
    }

    enum End: CaseIterable { case completed, failed, cancelled, dropped, built }

    @Test(arguments: End.allCases)
    func `a chain of any length completes, cancels and is freed on a small stack`(end: End) {
        let count = Self.million
        let census = Census()
        let results = Log<Bool>()
        let ended = onAnotherThread(stackSize: smallStack) {
            let captured = census.make()
            let source = Shared<Promise<Int>?>(Promise())
            if end == .built { source.value!.succeed(1) }
            var last: Future<Int>? = source.value!.future
            for _ in 0..<count { last = last!.map(on: .immediate) { captured.pass($0) } }
            switch end {
            case .completed: source.value!.succeed(1)
            case .failed: source.value!.fail(Oops())
            case .cancelled: last!.cancel()
            case .dropped: source.value = nil
            case .built: break
            }
            results.add(last!.isCompleted)
            results.add(end != .cancelled || source.value!.future.isCancelled)
            last = nil
        }
        #expect(ended)
        #expect(results.entries == [true, true])
        #expect(census.alive == 0)
    }
}
