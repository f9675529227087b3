// The rate limit of a queue. Contract/Queues.md

import FuturesTesting
import Testing

@testable import Futures

@Suite struct FutureQueueRateTests {
    @Test func `operations start at most as often as the rate limit allows`() {
        let time = VirtualTime()
        let queue = FutureQueue(
            maxConcurrentCount: 10, rate: RateLimit(2, per: .seconds(1), on: time.scheduler))
        let begun = Log<Duration>()
        for _ in 0..<5 {
            queue.on(.immediate).enqueue {
                begun.add(time.now)
                return Future(1)
            }
        }
        time.advance(by: .seconds(10))
        #expect(begun.entries == [0, 500, 1000, 1500, 2000].map { .milliseconds($0) })
        // An idle queue has no timer.
        #expect(time.pendingCount == 0)
    }

    @Test func `a burst starts immediately after a pause`() {
        let time = VirtualTime()
        let queue = FutureQueue(
            maxConcurrentCount: 10, rate: RateLimit(10, per: .seconds(1), burst: 3, on: time.scheduler))
        let begun = Log<Duration>()
        func enqueue(_ count: Int) {
            for _ in 0..<count {
                queue.on(.immediate).enqueue {
                    begun.add(time.now)
                    return Future(1)
                }
            }
        }
        enqueue(5)
        time.advance(by: .seconds(1))
        enqueue(4)
        time.advance(by: .seconds(1))
        #expect(begun.entries == [0, 0, 0, 100, 200, 1000, 1000, 1000, 1100].map { .milliseconds($0) })
    }

    @Test(arguments: 1..<40 as Range<UInt64>)
    func `operations that are cancelled at random let others start as the rate limit allows`(seed: UInt64) {
        var random = SplitMix(seed)
        let (time, burst) = (VirtualTime(), Int.random(in: 1...3, using: &random))
        let schedulers = [time.scheduler, .immediate]
        let queue = KeyedFutureQueue<Int>(
            maxConcurrentCount: 3, maxConcurrentCountPerKey: 2,
            rate: RateLimit(1, per: .seconds(10), burst: burst, on: time.scheduler))
        let begun = Log<Duration>()
        var futures: [Future<Void>] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let scheduler = schedulers.randomElement(using: &random)!
                futures.append(
                    queue[.random(in: 0..<3, using: &random)].on(scheduler).run { begun.add(time.now) })
            case 4..<7: futures.randomElement(using: &random)?.cancel()
            default: time.advance(by: .seconds(Int.random(in: 0..<20, using: &random)))
            }
        }
        time.advance(by: .seconds(10_000))
        #expect(queue.isEmpty)
        #expect(futures.allSatisfy { $0.isCompleted })
        #expect(begun.count == futures.filter { !$0.isCancelled }.count)
        let starts = begun.entries
        // A burst, and one for each ten seconds.
        for (first, start) in starts.enumerated() {
            for last in first..<starts.count {
                #expect(last - first < burst + Int((starts[last] - start).components.seconds / 10))
            }
        }
        #expect(time.pendingCount == 0)
    }

    @Test func `a queue with a rate limit stops its timer when it is released`() {
        let time = VirtualTime()
        do {
            let rate = RateLimit(1, per: .seconds(60), on: time.scheduler)
            let (queue, keyed) = (FutureQueue(rate: rate), KeyedFutureQueue<Int>(rate: rate))
            for _ in 0..<2 {
                queue.on(.immediate).enqueue { Future(1) }
                keyed[1].on(.immediate).enqueue { Future(1) }
            }
            #expect(time.pendingCount == 2)
            time.advance(by: .seconds(60))
            // Nothing waits.
            #expect(time.pendingCount == 0)
            for _ in 0..<2 { queue.on(.immediate).enqueue { Future(1) }.cancel() }
            #expect(time.pendingCount == 1)
        }
        #expect(time.pendingCount == 0)
    }

    /// Returns the times at which `count` operations start, all of which wait from the beginning.
    private func starts(_ count: Int, _ rate: (Scheduler) -> RateLimit) -> [Duration] {
        let (time, begun) = (VirtualTime(), Log<Duration>())
        let queue = FutureQueue(maxConcurrentCount: .max, rate: rate(time.scheduler), executeOn: time.scheduler)
        for _ in 0..<count { _ = queue.run { begun.add(time.now) } }
        #expect(throws: Never.self) { try time.runToEnd() }
        return begun.entries
    }

    @Test(arguments: [(3, 100), (7, 1000), (9, 10)])
    func `no operation starts earlier than the rate limit allows`(count: Int, milliseconds: Int) {
        let interval = Duration.milliseconds(milliseconds)
        let starts = starts(100 * count + 1) { RateLimit(count, per: interval, on: $0) }
        for number in 0...100 { #expect(starts[number * count] == interval * number) }
    }

    @Test func `a burst of n, at n per second, is there again after a second`() {
        let time = VirtualTime()
        let queue = FutureQueue(
            maxConcurrentCount: .max, maxWaitingCount: 0,
            rate: RateLimit(12, per: .seconds(1), burst: 12, on: time.scheduler))
        for _ in 0..<3 {
            let starts = (0..<13).map { _ in queue.on(.immediate).run {} }
            #expect(starts.filter { $0.error == nil }.count == 12)
            time.advance(by: .seconds(1))
        }
    }

    @Test func `a burst of n, at n per second, is up to 2n - 1 starts in the first second`() {
        let starts = starts(40) { RateLimit(10, per: .seconds(1), burst: 10, on: $0) }
        #expect(starts.filter { $0 < .seconds(1) }.count == 19)
    }

    @Test(arguments: 1..<20 as Range<UInt64>)
    func `a window is never exceeded, and used to the full`(seed: UInt64) {
        #expect(
            starts(7) { .window(3, per: .seconds(10), on: $0) } == [0, 0, 0, 10, 10, 10, 20].map { .seconds($0) })
        var random = SplitMix(seed)
        let (time, begun) = (VirtualTime(), Log<Duration>())
        let queue = FutureQueue(maxConcurrentCount: 10, rate: .window(3, per: .seconds(10), on: time.scheduler))
        var futures: [Future<Void>] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<5: futures.append(queue.on(time.scheduler).run { begun.add(time.now) })
            case 5: futures.randomElement(using: &random)?.cancel()
            default: time.advance(by: .seconds(Int.random(in: 0..<9, using: &random)))
            }
        }
        time.advance(by: .seconds(10_000))
        #expect(begun.count == futures.filter { !$0.isCancelled }.count)
        let starts = begun.entries
        for (first, fourth) in zip(starts, starts.dropFirst(3)) { #expect(fourth - first >= .seconds(10)) }
    }

    @Test func `starts make up for a late timer, up to a tenth of a second, and for no pause`() {
        var tokens = RateTokens(RateLimit(100, per: .seconds(1)))
        let beginning = ContinuousClock.now
        /// Returns how many waiting operations start at this time, at most `count`.
        func start(_ count: Int, at milliseconds: Int, isTimer: Bool = true) -> Int {
            var started = 0
            tokens.advance(to: beginning + .milliseconds(milliseconds))
            if isTimer { tokens.tick() }
            while started < count, tokens.hasToken {
                tokens.take()
                started += 1
            }
            _ = tokens.timerDelay(isAwaited: started < count)
            return started
        }
        #expect(start(100, at: 0, isTimer: false) == 1)
        // Due after 10 ms.
        #expect(start(100, at: 15) == 1)
        #expect(start(100, at: 20) == 1)
        #expect(start(100, at: 65) == 4)
        #expect(start(100, at: 1000) == 11)
        #expect(start(1, at: 1010) == 1)
        // Nothing has waited meanwhile.
        #expect(start(100, at: 2000, isTimer: false) == 1)
    }
}
