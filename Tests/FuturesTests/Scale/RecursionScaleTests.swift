// Recursion: ten million flatMaps and stages, a million deferreds and retries; constant memory and stack. Contract/Memory.md

import Futures
import Testing

private let megabyte = 1 << 20

extension ScaleTests {
    @Suite(.serialized) struct RecursionScaleTests {
        // Enough for a debug build: with 30 bytes for each step, a recursion would not fit on the small stack.
        private let census = Census(), count = isDebug ? 20_000 : 10_000_000, million = isDebug ? 20_000 : 1_000_000

        @Test func `ten million immediate steps of a recursive flatMap use constant memory and stack`() {
            onSmallStack {
                let growth = growth { _ in #expect(Recursion(census).immediate(count).success == 0) }
                #expect(growth < megabyte)
            }
            #expect(census.peak < 100 && census.alive == 0)
        }

        @Test func `ten million steps of promises that are completed later use constant memory and stack`() {
            onSmallStack {
                let recursion = Recursion(census)
                let growth = growth { sample in
                    let end = recursion.later(count)
                    for step in 0..<count {
                        recursion.completeNext()
                        if step % (count / 10) == 0 { sample() }
                    }
                    #expect(end.success == 0)
                }
                #expect(growth < megabyte)
            }
            #expect(census.peak < 100 && census.alive == 0)
        }

        @Test func `a million steps of a flatMap between two schedulers use constant memory and stack`() throws {
            let recursion = Recursion(census)
            // By now, the threads exist.
            _ = try recursion.hopping(scaled(100_000)).wait()
            let growth = try growth { sample in
                let end = try recursion.hopping(count / 10).wait()
                #expect(end == 0)
                sample()
            }
            // Dispatch keeps some megabytes for a while, whatever the number of steps. Without links, it would be 300.
            #expect(growth < 32 * megabyte)
            #expect(census.peak < 200)
        }

        @Test(arguments: [false, true])
        func `recursion that ends in a pending future is deallocated when cancelled or released`(isCancelled: Bool) {
            let recursion = Recursion(census)
            do {
                let end = recursion.later(count / 10)
                for _ in 0..<(count / 20) { recursion.completeNext() }
                if isCancelled { #expect(end.cancel()) }
            }
            recursion.forget()
            #expect(census.alive == 0)
        }

        @Test(arguments: [Scheduler.immediate, Scheduler(label: "retries")])
        func `a million retries use constant memory and stack`(_ scheduler: Scheduler) throws {
            let (count, runs) = (count / 10, AtomicCounter())
            let growth = try growth { _ in
                // Fails without a throw, as the test library keeps a backtrace of thrown errors.
                let failing = Future<Int>(on: scheduler) { completion in
                    let run = runs.up()
                    completion(run > count ? .success(run) : .failure(Recursion.Failure(token: census.make())))
                    return NilDisposer()
                }
                let last = try failing.onErrorRepeat(on: scheduler, maxRepetitions: count).wait()
                #expect(last == count + 1)
            }
            #expect(growth < megabyte)
            #expect(census.peak < 100)
            // The scheduler's queue may not have released the last job yet.
            scheduler.sync {}
            #expect(census.alive == 0)
        }

        @Test func `ten million stages of a progression use constant memory and stack`() throws {
            _ = try Walk(limit: 1000).run().wait()
            // Dispatch keeps some megabytes for hops; two bytes per stage would exceed this limit.
            #expect(try growth { _ in _ = try Walk(limit: count).run().wait() } < 16 * megabyte)
            onSmallStack { #expect(Walk(limit: million).run(on: .immediate).success == million) }
        }

        @Test func `endless recursion of deferreds uses constant stack and memory`() {
            @Sendable func count(down number: Int) -> Deferred<Int> {
                Deferred { number }.flatMap { $0 == 0 ? Deferred(0) : count(down: $0 - 1) }
            }
            onSmallStack {
                // Two bytes for each would exceed the limit.
                let growth = growth { _ in #expect(count(down: million).start(on: .immediate).success == 0) }
                #expect(growth < megabyte)
            }
        }
    }
}

/// Recursive futures. Each step's closure holds a token.
private final class Recursion: Sendable {
    struct Failure: Error {
        var token: Census.Counted?
    }

    private let census: Census
    private let next = Shared<Promise<Int>?>(nil), made = Shared<Future<Int>?>(nil)
    private let one = Scheduler(label: "one"), two = Scheduler(label: "two")

    init(_ census: Census) { self.census = census }

    private func step(_ source: Future<Int>, on scheduler: Scheduler, _ next: @escaping @Sendable () -> Future<Int>)
        -> Future<Int>
    {
        let token = census.make()
        return source.flatMap(on: scheduler) { _ in withExtendedLifetime(token) { next() } }
    }

    func immediate(_ count: Int) -> Future<Int> {
        count == 0 ? Future(0) : step(Future(count), on: .immediate) { self.immediate(count - 1) }
    }

    func later(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        let promise = Promise<Int>()
        next.value = promise
        let future = step(promise.future, on: .immediate) { self.later(count - 1) }
        made.value = future
        return future
    }

    func hopping(_ count: Int) -> Future<Int> {
        guard count > 0 else { return Future(0) }
        return step(Future(on: one, immediate: { count }), on: two) { self.hopping(count - 1) }
    }

    func completeNext() {
        made.value = nil
        next.change { $0.take() }?.succeed(1)
    }

    func forget() { (made.value, next.value) = (nil, nil) }
}
