// FutureCache: actions of other threads between a run's result and its caching.

import Futures
import FuturesTesting
import Testing

@Suite struct FutureCacheClockTests {
    private let time = VirtualTime()
    private let clock: InterruptedClock
    private let cache: FutureCache<String, Int>

    init() {
        clock = InterruptedClock(time.scheduler)
        cache = FutureCache(maxCount: 10, expiresAfter: .seconds(10), on: Scheduler(backend: clock))
    }

    @Test func `a call after a run has completed shares its value, but not its error`() {
        for result in [Result<Int, any Error>.success(1), .failure(Oops())] {
            let (gate, begun) = (Promise<Int>(), Shared(0))
            let late = Shared<Future<Int>?>(nil)
            let first = cache.future(on: .immediate, for: "a") { gate.future }
            clock.interrupt { [cache] in
                late.value = cache.future(on: .immediate, for: "a") { Future(10 + begun.increment()) }
            }
            gate.complete(result)
            #expect(first.success == (try? result.get()))
            #expect(late.value?.success == (try? result.get()) ?? 11)
            #expect(cache.count == 1)
            cache.removeAll()
        }
    }

    @Test func `a value that is cached late expires by the time of its arrival`() {
        let (a, b) = (Promise<Int>(), Promise<Int>())
        let futures = [
            cache.future(on: .immediate, for: "a") { a.future }, cache.future(on: .immediate, for: "b") { b.future },
        ]
        clock.interrupt { [time] in
            time.advance(by: .seconds(5))
            b.succeed(1)
        }
        a.succeed(1)
        #expect(futures.map(\.success) == [1, 1])
        time.advance(by: .seconds(5))
        #expect(cache.future(on: .immediate, for: "b") { Future(2) }.success == 1)
        #expect(cache.future(on: .immediate, for: "a") { Future(2) }.success == 2)
        #expect(cache.count == 2)
    }
}

/// A clock that calls a closure once, after its time was read and before the reader continues.
private struct InterruptedClock: SchedulerBackend {
    private let scheduler: Scheduler
    private let interruption = Shared<(@Sendable () -> Void)?>(nil)

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    func interrupt(_ body: @escaping @Sendable () -> Void) { interruption.value = body }

    var now: ContinuousClock.Instant {
        let now = scheduler.now
        interruption.change { $0.take() }?()
        return now
    }

    var isSerial: Bool { true }
    var description: String { "an interrupted clock" }
    var identity: ObjectIdentifier { ObjectIdentifier(interruption) }
    var isCurrent: Bool { false }

    func enqueue(_ job: Job, for scheduler: Scheduler) { fatalError("nothing runs here") }

    func enqueue(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, for scheduler: Scheduler
    ) -> any Disposable {
        fatalError("nothing runs here")
    }

    func sync<T>(for scheduler: Scheduler, _ work: () throws -> T) rethrows -> T { try work() }
}
