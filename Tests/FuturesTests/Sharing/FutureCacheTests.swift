// FutureCache: a cache of values. Contract/Sharing.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureCacheTests {
    private let time = VirtualTime(), begun = Log<String>()

    /// Returns the key's value, which is the number of operations that had been started when it was made.
    private func ask(_ cache: FutureCache<String, Int>, _ key: String) -> Int? {
        cache.future(on: .immediate, for: key) { begun.add(key, returning: Future(begun.count)) }.success
    }

    @Test func `a value is cached, and its operation is not called again`() {
        let cache = FutureCache<String, Int>(maxCount: 10)
        #expect(["a", "b", "a", "b"].map { ask(cache, $0) } == [1, 2, 1, 2])
        #expect(cache.count == 2)
    }

    @Test func `errors are cached only for failuresFor, and cancellations never`() {
        let cache = FutureCache<String, Int>(maxCount: 10)
        let failed = cache.future(on: .immediate, for: "a") { throw Oops(1) }
        #expect(failed.error as? Oops == Oops(1))
        cache.future(on: .immediate, for: "a") { .never }.cancel()
        #expect(cache.count == 0)
        #expect(ask(cache, "a") == 1)
        #expect(failed.onErrorRepeat(on: .immediate, maxRepetitions: 1) { _ in true }.success == 1)
    }

    @Test func `a value expires after a fixed time, and later calls remove it`() {
        let census = Census()
        let cache = FutureCache<String, Census.Counted>(maxCount: 10, expiresAfter: .seconds(10), on: time.scheduler)
        func ask(_ key: String) {
            _ = cache.future(on: .immediate, for: key) { begun.add(key, returning: Future(census.make())) }
        }
        ask("a")
        time.advance(by: .seconds(5))
        ask("b")
        time.advance(by: .milliseconds(4999))
        ask("a")
        #expect(begun.entries == ["a", "b"])
        // The use of a value does not extend its time.
        time.advance(by: .milliseconds(1))
        ask("b")
        ask("c")
        #expect([cache.count, census.alive] == [2, 2])
        ask("a")
        #expect(begun.entries == ["a", "b", "c", "a"])
        time.advance(by: .seconds(100))
        ask("d")
        #expect([cache.count, census.alive] == [1, 1])
    }

    @Test func `a full cache evicts the least recently used value`() {
        let cache = FutureCache<String, Int>(maxCount: 3)
        for key in ["a", "b", "c", "a", "d", "a", "c", "d", "b", "c", "d", "b", "a"] { _ = ask(cache, key) }
        #expect(cache.count == 3)
        #expect(begun.entries == ["a", "b", "c", "d", "b", "a"])
    }

    @Test func `a forgotten value is fetched again, and a fetch in progress is not cached`() {
        let cache = FutureCache<String, Int>(maxCount: 3)
        _ = ask(cache, "a")
        cache.removeValue(forKey: "a")
        cache.removeValue(forKey: "x")
        #expect(ask(cache, "a") == 2)
        let gate = Promise<Int>()
        let old = cache.future(on: .immediate, for: "b") { gate.future }
        cache.removeValue(forKey: "b")
        #expect(ask(cache, "b") == 3)
        _ = cache.future(on: .immediate, for: "c") { gate.future }
        cache.removeAll()
        gate.succeed(100)
        #expect(old.success == 100)
        #expect(cache.count == 0)
    }

    @Test func `a value can have a lifetime of its own`() {
        let cache = FutureCache<Int, Int>(maxCount: 10, expiresAfter: .seconds(5), on: time.scheduler) { value in
            value == 0 ? nil : .seconds(value)
        }
        func cached() -> [Int] { [-1, 0, 1, 9].filter { cache.cachedValue(forKey: $0) != nil } }
        for value in [-1, 0, 1, 9] { _ = cache.future(on: .immediate, for: value) { Future(value) } }
        time.run()
        #expect(cached() == [0, 1, 9])
        time.advance(by: .seconds(1))
        #expect(cached() == [0, 9])
        time.advance(by: .seconds(4))
        cache.insert(1, forKey: 1)
        #expect(cached() == [1, 9])
        time.advance(by: .seconds(4))
        #expect(cached() == [])
    }

    /// Asks for a value, and logs the run.
    private func ask(_ cache: FutureCache<Int, Int>, _ runs: Log<Promise<Int>>) -> Future<Int> {
        cache.future(on: .immediate, for: 1) {
            let run = Promise<Int>()
            runs.add(run)
            return run.future
        }
    }

    @Test func `a stale value is returned while one run fetches it again`() {
        let cache = FutureCache<Int, Int>(
            maxCount: 2, expiresAfter: .seconds(10), staleFor: .seconds(5), on: time.scheduler)
        let runs = Log<Promise<Int>>()
        _ = ask(cache, runs)
        runs.entries[0].succeed(1)
        time.advance(by: .seconds(10))
        #expect([ask(cache, runs), ask(cache, runs)].map(\.success) == [1, 1])
        #expect(runs.count == 2)
        runs.entries[1].succeed(2)
        #expect(ask(cache, runs).success == 2)
        #expect(runs.count == 2)
        // If that fails, the stale value stays.
        time.advance(by: .seconds(10))
        #expect(ask(cache, runs).success == 2)
        runs.entries[2].fail(Oops())
        #expect(ask(cache, runs).success == 2)
        #expect(runs.count == 4)
        #expect(cache.cachedValue(forKey: 1) == 2)
        // When it has expired, callers wait for the run, and can cancel it.
        time.advance(by: .seconds(5))
        #expect(cache.cachedValue(forKey: 1) == nil)
        let callers = [ask(cache, runs), ask(cache, runs)]
        #expect(runs.count == 4)
        callers[0].cancel()
        #expect(!runs.entries[3].future.isCompleted)
        callers[1].cancel()
        #expect(runs.entries[3].future.isCancelled)
    }

    @Test(arguments: [Oops(), CancellationError()] as [any Error])
    func `a stale value whose refresh has failed is not returned after its end`(_ error: any Error) {
        let cache = FutureCache<Int, Int>(
            maxCount: 2, expiresAfter: .seconds(10), staleFor: .seconds(5), failuresFor: .seconds(60),
            on: time.scheduler)
        let runs = Log<Promise<Int>>()
        _ = ask(cache, runs)
        runs.entries[0].succeed(1)
        time.advance(by: .seconds(12))
        cache.insert(7, forKey: 2)
        _ = ask(cache, runs)
        runs.entries[1].fail(error)
        #expect(ask(cache, runs).success == 1)
        // A failure counts for a minute, but not a cancel.
        #expect(runs.count == (error is Oops ? 2 : 3))
        time.advance(by: .seconds(8))
        #expect(!ask(cache, runs).isCompleted)
    }

    @Test func `a failure is cached for failuresFor, but not a cancel`() {
        let cache = FutureCache<Int, Int>(
            maxCount: 2, expiresAfter: .seconds(10), staleFor: .seconds(10), failuresFor: .seconds(3),
            on: time.scheduler)
        let runs = Log<Promise<Int>>()
        let first = ask(cache, runs)
        runs.entries[0].fail(Oops(1))
        #expect([first, ask(cache, runs)].map { $0.error as? Oops } == [Oops(1), Oops(1)])
        #expect(cache.cachedValue(forKey: 1) == nil)
        time.advance(by: .seconds(3))
        _ = ask(cache, runs)
        runs.entries[1].fail(CancellationError())
        _ = ask(cache, runs)
        runs.entries[2].succeed(5)
        // After a failure, a stale value is not fetched again for this time.
        time.advance(by: .seconds(10))
        #expect(ask(cache, runs).success == 5)
        runs.entries[3].fail(Oops(2))
        time.advance(by: .milliseconds(2999))
        #expect(ask(cache, runs).success == 5)
        #expect(runs.count == 4)
        time.advance(by: .milliseconds(1))
        #expect(ask(cache, runs).success == 5)
        #expect(runs.count == 5)
        cache.removeAll()
        #expect(ask(cache, runs).result == nil)
        #expect(runs.count == 6)
    }

    @Test func `no lock is held while a cache releases a value`() {
        let cache = Shared<FutureCache<Int, Census.Counted>?>(FutureCache(maxCount: 1))
        let (census, farewells) = (Census(), Shared(0))
        for key in 0..<3 {
            _ = cache.value!.future(on: .immediate, for: key) {
                Future(
                    census.make {
                        #expect(onAnotherThread { _ = cache.value?.count })
                        farewells.increment()
                    })
            }
        }
        #expect(farewells.value == 2)
        cache.value!.removeValue(forKey: 2)
        #expect(farewells.value == 3)
    }

    @Test func `100 000 values are cached, used and evicted, in constant time each`() {
        expectConstantTime { count in
            let cache = FutureCache<Int, Int>(maxCount: count, expiresAfter: .seconds(10), on: time.scheduler)
            func ask(_ keys: Range<Int>) {
                for key in keys { _ = cache.future(on: .immediate, for: key) { Future(key) } }
            }
            ask(0..<count)
            ask(0..<2 * count)
            #expect(cache.count == count)
            time.advance(by: .seconds(10))
            ask(0..<1)
            #expect(cache.count == 1)
        }
    }

    @Test func `a cached value can be read without fetching it, and counts as used`() {
        let cache = FutureCache<Int, Int>(maxCount: 2, expiresAfter: .seconds(10), on: time.scheduler)
        let gate = Promise<Int>()
        _ = cache.future(on: .immediate, for: 1) { gate.future }
        #expect(cache.cachedValue(forKey: 1) == nil, "It is being fetched.")
        gate.succeed(10)
        _ = cache.future(on: .immediate, for: 2) { Future(20) }
        #expect(cache.cachedValue(forKey: 1) == 10)
        _ = cache.future(on: .immediate, for: 3) { Future(30) }
        #expect([1, 2, 3].map { cache.cachedValue(forKey: $0) } == [10, nil, 30])
        time.advance(by: .seconds(10))
        #expect([1, 3].compactMap { cache.cachedValue(forKey: $0) } == [])
    }

    @Test func `an inserted value replaces what is cached or being fetched`() {
        let cache = FutureCache<Int, Int>(maxCount: 2, expiresAfter: .seconds(10), on: time.scheduler)
        cache.insert(1, forKey: 1)
        let gate = Promise<Int>()
        let fetched = cache.future(on: .immediate, for: 2) { gate.future }
        cache.insert(2, forKey: 2)
        gate.succeed(20)
        #expect(fetched.success == 20, "The run continues for its callers.")
        #expect(cache.cachedValue(forKey: 2) == 2)
        cache.insert(11, forKey: 1)
        cache.insert(3, forKey: 3)
        #expect([1, 2, 3].map { cache.cachedValue(forKey: $0) } == [11, nil, 3])
        time.advance(by: .seconds(10))
        cache.insert(4, forKey: 4)
        #expect(cache.count == 1)
    }
}
