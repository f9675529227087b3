// Releases during a deallocation precede its return, also in nested deallocations.

import Dispatch
import Futures
import Testing

@Suite struct DeferredReleasesTests {
    @Test func `objects that a closure releases during a deallocation are released before the closure continues`() {
        let (census, log) = (Census(), Log<Int>())
        // Deallocated with a bag, a future, a disposer and a queue.
        let makers: [(Disposer) -> any Sendable] = [
            { DisposeBag($0) },
            { disposer in Future(1).map(on: .immediate) { number in withExtendedLifetime(disposer) { number } } },
            { disposer in Disposer { withExtendedLifetime(disposer) {} } },
            { FutureQueue(resource: $0) },
        ]
        for make in makers {
            let other = Shared<Future<Census.Counted>?>(Future(census.make()))
            var object: (any Sendable)? = make(
                Disposer {
                    other.value = nil
                    log.add(census.alive)
                })
            #expect(census.alive == 1)
            object = nil
            #expect(object == nil && census.alive == 0)
        }
        #expect(log.entries == [0, 0, 0, 0])
    }

    @Test func `a dispose that a bag's deallocation calls may wait for the objects that it released`() {
        /// Not a disposer of the library.
        struct Waiting: Disposable {
            let semaphore = FutureSemaphore(count: 1)
            let permit: Shared<Future<Permit>?>
            let log: Log<Bool>

            init(_ log: Log<Bool>) {
                permit = Shared(semaphore.acquire())
                self.log = log
            }

            func dispose() {
                permit.value = nil
                // The permit is available to other threads now.
                log.add(onAnotherThread { _ = try? semaphore.acquire().wait(timeout: testTimeout) })
                log.add(semaphore.waitingCount == 0)
            }
        }
        let log = Log<Bool>()
        var outer: DisposeBag? = DisposeBag(Waiting(log))
        outer = nil
        #expect(outer == nil && log.entries == [true, true])
    }

    @Test(arguments: nestings)
    func `deinits that cancel futures, which retain the next such object, are all called`(_ depth: Int) {
        final class Link: Sendable {
            let future: Future<Int>
            let count: AtomicCounter

            init(_ future: Future<Int>, _ count: AtomicCounter) { (self.future, self.count) = (future, count) }

            deinit {
                count.up()
                future.cancel()
            }
        }
        let (census, count) = (Census(), AtomicCounter())
        let promises = (0..<60).map { _ in Promise<Int>() }
        let last = Shared<Link?>(nil)
        for promise in promises {
            let (next, token) = (last.value, census.make())
            let inner = Shared<Future<Int>?>(
                promise.future.map(on: .immediate) { number in withExtendedLifetime(token) { number } }
                    .map(on: .immediate) { number in withExtendedLifetime(next) { number } })
            // The inner chain is referenced by the future alone.
            let future = Future().flatMap(on: .immediate) { inner.change { $0.take()! } }
            last.value = Link(future, count)
        }
        nest(depth) { last.value = nil }
        #expect(count.value == promises.count && census.alive == 0)
    }

    @Test func `what a deinit releases is released before it continues, whatever deallocates the object`() {
        /// Its `deinit` releases an object that a future of the library retains.
        final class Owner: Sendable {
            private let owned: Shared<Future<Census.Counted>?>
            private let census: Census
            private let isInTime: Log<Bool>

            init(_ census: Census, _ isInTime: Log<Bool>) {
                owned = Shared(Future(census.make()))
                (self.census, self.isInTime) = (census, isInTime)
            }

            deinit {
                owned.value = nil
                isInTime.add(census.alive == 0)
            }
        }
        /// An error that retains an owner.
        struct Owning: Error { let owner: Owner }
        let makers: [(Owner) -> any Sendable] = [
            { Future($0) },
            { Future<Int>(error: Owning(owner: $0)) },
            { owner in Future(1).map(on: .immediate) { number in withExtendedLifetime(owner) { number } } },
            { owner in Promise<Int>().future.map(on: .immediate) { number in withExtendedLifetime(owner) { number } } },
            { owner in Future<Int>.never.map(on: .immediate) { number in withExtendedLifetime(owner) { number } } },
            { Future(Future($0)) },
            { owner in
                join([Future(1), Future(2).map(on: .immediate) { number in withExtendedLifetime(owner) { number } }])
            },
            { owner in Disposer { withExtendedLifetime(owner) {} } },
            { owner in DisposeBag(Disposer { withExtendedLifetime(owner) {} }) },
            { FutureQueue(resource: $0) },
            { owner in Deferred<Int>(on: .immediate) { withExtendedLifetime(owner) { 1 } } },
            { owner in
                let cache = FutureCache<Int, Owner>(maxCount: 1)
                _ = cache.future(on: .immediate, for: 1) { Future(owner) }
                return cache
            },
        ]
        for (index, make) in makers.enumerated() {
            let (census, isInTime) = (Census(), Log<Bool>())
            let object = Shared<(any Sendable)?>(make(Owner(census, isInTime)))
            #expect(census.alive == 1)
            object.value = nil
            #expect(isInTime.entries == [true], "maker \(index)")
            #expect(census.alive == 0)
        }
    }

    @Test func `what a callback releases is released before it continues, whatever it has made before`() {
        let census = Census()
        let missing = Log<String>()
        for (name, make) in completedInPlace {
            Future().onValue(on: .immediate) {
                let made = make()
                let kept = Shared<Future<Census.Counted>?>(Future(census.make()))
                kept.value = nil
                if census.alive > 0 { missing.add(name) }
                withExtendedLifetime(made) {}
            }
        }
        #expect(missing.entries == [])
    }

    @Test(arguments: nestings)
    func `a deallocation that abandons a promise releases what the promise's listeners retain, at any nesting depth`(
        depth: Int
    ) {
        let (census, semaphore) = (Census(), FutureSemaphore(count: 1))
        func wide() -> Future<Census.Counted> {
            let all = (0..<50).map { _ in Future(census.make()) }
            return Future(census.make()).map(on: .immediate) { [all] value in withExtendedLifetime(all) { value } }
        }
        /// Returns a chain that never completes, and that alone retains a promise with listeners.
        func chain() -> Future<Int> {
            let (promise, permit) = (Promise<Int>(), semaphore.acquire())
            _ = promise.future.map(on: .immediate) { [a = wide(), b = wide(), permit] number in
                withExtendedLifetime((a, b, permit)) { number }
            }
            return Future<Int>.never.map(on: .immediate) { [promise] number in
                promise.succeed(number)
                return number
            }
        }
        for _ in 0..<3 {
            let kept = Shared<Future<Int>?>(chain())
            #expect(census.alive > 0)
            nest(depth) { kept.value = nil }
            #expect(census.alive == 0)
            #expect(semaphore.runningCount == 0)
        }
    }

    @Test func `user closures that are called in a deallocation do not nest, however many there are`() {
        let count = 20_000
        let done = onAnotherThread(stackSize: smallStack) {
            let census = Census()
            let disposers = (0..<count).map { _ in
                let other = Shared<Future<Census.Counted>?>(Future(census.make()))
                // Each release runs in a loop of its own, which must not touch what the outer loop has still to
                // release.
                return Future<Disposer>(Disposer { other.value = nil })
            }
            let promise = Promise<Int>()
            var object: Future<Int>? = promise.future.map(on: .immediate) { number in
                withExtendedLifetime(disposers) { number }
            }
            #expect(census.alive == count && object != nil)
            object?.cancel()
            object = nil
        }
        #expect(done)
    }
}

/// Futures that complete before the call that creates them returns.
private let completedInPlace: [(String, @Sendable () -> any Sendable)] = [
    ("a function", { Future(on: .immediate, immediate: { 1 }) }),
    (
        "an operation",
        {
            Future<Int>(on: .immediate) { completion in
                completion(.success(1)); return Disposer {}
            }
        }
    ),
    ("an operation that throws", { Future<Int>(on: .immediate) { _ in throw Oops() } }),
    ("a function that throws", { Future<Int>(on: .immediate, immediate: { throw Oops() }) }),
    ("a step", { Future(1).map(on: .immediate) { $0 + 1 } }),
    ("a step that returns a future", { Future(1).flatMap(on: .immediate) { Future($0) } }),
    ("a step that returns a pending future", { Future(1).flatMap(on: .immediate) { _ in Promise<Int>().future } }),
    ("a join", { join([Future(1), Future(2)]) }),
    ("an empty join", { join([Future<Int>]()) }),
    ("a select", { select(Future(1), or: Future<Int>.never) }),
    ("a traversal", { [1, 2].mapToFuture(on: .immediate) { Future($0) } }),
    ("an operation of a queue", { FutureQueue().on(.immediate).run { 1 } }),
    ("an operation of a queue that returns a future", { FutureQueue().on(.immediate).enqueue { Future(1) } }),
    ("an operation of a queue with keys", { KeyedFutureQueue<Int>()[1].on(.immediate).enqueue { Future(1) } }),
    ("a batch", { FutureQueue().on(.immediate).batch().enqueue { _ in Future(1) } }),
    ("a permit", { FutureSemaphore(count: 1).acquire() }),
    ("a repetition", { Future(1).onValueRepeat(maxRepetitions: 2) }),
    ("a deferred", { Deferred(repeating: Future(1)).start() }),
    ("a drained queue", { FutureQueue().drained() }),
    (
        "a promise",
        {
            let promise = Promise<Int>(); promise.succeed(1); return promise
        }
    ),
    (
        "a cancel",
        {
            let promise = Promise<Int>(); promise.future.map(on: .immediate) { $0 }.cancel(); return promise
        }
    ),
    (
        "an abort",
        {
            let queue = FutureQueue(); queue.cancelAll(); return queue
        }
    ),
    ("a single flight", { SingleFlight<Int, Int>().future(on: .immediate, for: 1) { Future(1) } }),
    ("a cache", { FutureCache<Int, Int>(maxCount: 1).future(on: .immediate, for: 1) { Future(1) } }),
]
