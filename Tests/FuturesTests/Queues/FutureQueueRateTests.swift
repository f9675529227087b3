// The rate limit of a queue. Contract/Queues.md

import FuturesTesting
import Testing

@testable import Futures

@Suite struct FutureQueueRateTests {
    private let time = VirtualTime(), begun = Log<Duration>()

    private func queue(_ rate: RateLimit) -> FutureQueue<Void> { FutureQueue(maxConcurrentCount: 10, rate: rate) }

    private func enqueue(_ count: Int, in queue: FutureQueue<Void>) {
        for _ in 0..<count { _ = queue.on(.immediate).run { [begun, time] in begun.add(time.now) } }
    }

    @Test func `operations start at most as often as the rate limit allows`() {
        enqueue(5, in: queue(RateLimit(2, per: .seconds(1), on: time.scheduler)))
        time.advance(by: .seconds(10))
        #expect(begun.entries == [0, 500, 1000, 1500, 2000].map { .milliseconds($0) })
        // An idle queue has no timer.
        #expect(time.pendingCount == 0)
    }

    @Test func `operations of a key start at most as often as the rate for each key allows`() {
        let queue = KeyedFutureQueue<Int>(
            maxConcurrentCountPerKey: 2, ratePerKey: .window(2, per: .seconds(10), on: time.scheduler))
        for key in [1, 1, 1, 2, 1, 3] {
            _ = queue[key].on(.immediate).run { [begun, time] in begun.add(time.now + .milliseconds(key)) }
        }
        time.advance(by: .seconds(30))
        #expect(begun.entries == [1, 1, 2, 3, 10_001, 10_001].map { .milliseconds($0) })
        // Nothing is stored for a key any more.
        #expect(queue.keyCount == 0)
        #expect(time.pendingCount == 0)
    }

    @Test func `a key above its rate does not delay the others, nor use up the rate of the queue`() {
        let queue = KeyedFutureQueue<Int>(
            maxConcurrentCount: 1, rate: RateLimit(1, per: .seconds(1), on: time.scheduler),
            ratePerKey: RateLimit(1, per: .seconds(10), on: time.scheduler))
        for key in [1, 1, 2, 3] {
            _ = queue[key].on(.immediate).run { [begun, time] in begun.add(time.now + .milliseconds(key)) }
        }
        time.advance(by: .seconds(30))
        #expect(begun.entries == [1, 1002, 2003, 10_001].map { .milliseconds($0) })
    }

    @Test func `an operation of a key does not overtake those that wait for the rate of the key`() {
        let queue = KeyedFutureQueue<Int>(ratePerKey: RateLimit(1, per: .seconds(10), on: time.scheduler))
        let log = Log<Int>()
        // When the token is back, and the timer has yet to fire.
        time.scheduler.async(after: .seconds(10)) { _ = queue[1].on(.immediate).run { log.add(3) } }
        for number in 1...2 { _ = queue[1].on(.immediate).run { log.add(number) } }
        time.advance(by: .seconds(30))
        #expect(log.entries == [1, 2, 3])
    }

    @Test(arguments: 1..<80 as Range<UInt64>, [false, true])
    func `operations that are cancelled at random let others start as the rate allows`(seed: UInt64, isWindow: Bool) {
        var random = SplitMix(seed)
        let isOfKeys = seed % 2 == 0
        let burst = Int.random(in: 1...3, using: &random)
        let rate: RateLimit =
            isWindow
            ? .window(burst, per: .seconds(10), on: time.scheduler)
            : RateLimit(1, per: .seconds(10), burst: burst, on: time.scheduler)
        let queue = KeyedFutureQueue<Int>(
            maxConcurrentCount: 3, maxConcurrentCountPerKey: 2, rate: isOfKeys ? nil : rate,
            ratePerKey: isOfKeys ? rate : nil)
        let starts = (0..<3).map { _ in Log<Duration>() }
        var futures: [Future<Void>] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let scheduler = random.pick([time.scheduler, .immediate])
                let key = Int.random(in: 0..<3, using: &random)
                let log = starts[isOfKeys ? key : 0]
                futures.append(queue[key].on(scheduler).run { [time] in log.add(time.now) })
            case 4..<7: futures.randomElement(using: &random)?.cancel()
            default: time.advance(by: .seconds(Int.random(in: 0..<20, using: &random)))
            }
        }
        time.advance(by: .seconds(10_000))
        #expect(queue.isEmpty)
        #expect(queue.keyCount == 0)
        #expect(starts.reduce(0) { $0 + $1.count } == futures.count { !$0.isCancelled })
        for starts in starts.map(\.entries) {
            for (first, start) in starts.enumerated() {
                for last in first..<starts.count {
                    let tens = Int((starts[last] - start).components.seconds / 10)
                    #expect(last - first < (isWindow ? burst * (1 + tens) : burst + tens))
                }
            }
        }
        #expect(time.pendingCount == 0)
    }

    @Test func `a queue with a rate limit stops its timer when it is released`() {
        do {
            let rate = RateLimit(1, per: .seconds(60), on: time.scheduler)
            let (queue, keyed) = (FutureQueue(rate: rate), KeyedFutureQueue<Int>(rate: rate))
            enqueue(2, in: queue)
            for _ in 0..<2 { _ = keyed[1].on(.immediate).run {} }
            time.advance(by: .seconds(60))
            #expect(time.pendingCount == 0)
            for _ in 0..<2 { queue.on(.immediate).run {}.cancel() }
            #expect(time.pendingCount == 1)
            let ofKeys = KeyedFutureQueue<Int>(ratePerKey: rate)
            _ = ofKeys[1].on(.immediate).run {}
            #expect(time.pendingCount == 2)
        }
        #expect(time.pendingCount == 0)
    }

    @Test(arguments: [(3, 100), (7, 1000), (9, 10)])
    func `no operation starts earlier than the rate limit allows`(count: Int, milliseconds: Int) throws {
        let interval = Duration.milliseconds(milliseconds)
        enqueue(100 * count + 1, in: queue(RateLimit(count, per: interval, on: time.scheduler)))
        try time.runToEnd()
        for number in 0...100 { #expect(begun.entries[number * count] == interval * number) }
    }

    @Test func `a burst of n, at n per second, is there again after a second`() {
        let queue = FutureQueue(
            maxConcurrentCount: .max, maxWaitingCount: 0,
            rate: RateLimit(12, per: .seconds(1), burst: 12, on: time.scheduler))
        for _ in 0..<3 {
            let starts = (0..<13).map { _ in queue.on(.immediate).run {} }
            #expect(starts.filter { $0.error == nil }.count == 12)
            time.advance(by: .seconds(1))
        }
    }

    @Test func `a window is used to the full, and a burst of n is up to 2n - 1 starts in the first interval`() throws {
        enqueue(7, in: queue(.window(3, per: .seconds(10), on: time.scheduler)))
        try time.runToEnd()
        #expect(begun.entries == [0, 0, 0, 10, 10, 10, 20].map { .seconds($0) })
        enqueue(40, in: queue(RateLimit(10, per: .seconds(1), burst: 10, on: time.scheduler)))
        try time.runToEnd()
        #expect(begun.entries.dropFirst(7).count { $0 < .seconds(21) } == 19)
    }

    @Test func `starts make up for a late timer, up to a tenth of a second, and for no pause`() {
        let tokens = RateTokens(RateLimit(100, per: .seconds(1)), at: .zero)
        /// Returns how many waiting operations start at this time, at most `count`.
        func start(_ count: Int, at milliseconds: Int) -> Int {
            var started = 0
            tokens.advance(to: .milliseconds(milliseconds))
            while started < count, tokens.hasToken {
                tokens.take()
                started += 1
            }
            _ = tokens.timerDelay(isAwaited: started < count)
            return started
        }
        #expect(start(100, at: 0) == 1)
        // Due after 10 ms.
        #expect([15, 20, 65, 1000].map { start(100, at: $0) } == [1, 1, 4, 11])
        #expect(start(1, at: 1010) == 1)
        // Nothing has waited meanwhile.
        #expect(start(100, at: 2000) == 1)
    }

    @Test(arguments: [100, 5000])
    func `on timers that are late by up to 3 ms, a rate is used to 98 % and never exceeded`(count: Int) {
        let tokens = RateTokens(RateLimit(count, per: .seconds(1)), at: .zero)
        var (now, started, random) = (Duration.zero, 0, SplitMix(1))
        while now < .seconds(10) {
            tokens.advance(to: now)
            tokens.tick()
            while tokens.hasToken {
                tokens.take()
                started += 1
                #expect(Double(started - 1) <= now / .seconds(1) * Double(count) + 1e-6)
            }
            now += tokens.timerDelay(isAwaited: true)! + .microseconds(Int.random(in: 0..<3000, using: &random))
        }
        #expect(started >= 98 * count / 10)
    }
}

// Two limits together, and limits that are changed while in use.
extension FutureQueueRateTests {
    @Test func `10 a second and 100 a minute: no operation starts before both allow it`() throws {
        let rate = RateLimit(10, per: .seconds(1), on: time.scheduler).and(.window(100, per: .seconds(60)))
        enqueue(250, in: queue(rate))
        try time.runToEnd()
        let expected = (0..<250).map { Duration.seconds(60 * ($0 / 100)) + .milliseconds(100 * ($0 % 100)) }
        #expect(begun.entries == expected)
    }

    @Test func `a service that asks for fewer requests gets them at the new rate from then on`() {
        let queue = queue(RateLimit(10, per: .seconds(1), on: time.scheduler))
        enqueue(100, in: queue)
        time.advance(by: .milliseconds(250))
        // Half of the time until the next start has passed.
        queue.rate = RateLimit(1, per: .seconds(1))
        time.advance(by: .milliseconds(1600))
        #expect(begun.entries == [0, 100, 200, 750, 1750].map { .milliseconds($0) })
        queue.rate = RateLimit(10, per: .seconds(1))
        time.advance(by: .milliseconds(200))
        #expect(begun.entries.dropFirst(5).map(\.self) == [1940, 2040].map { .milliseconds($0) })
        queue.rate = nil
        #expect(queue.waitingCount == 0)
        #expect(time.pendingCount == 0)
    }

    @Test func `a greater quota counts what was used of the smaller one`() {
        let queue = queue(.window(2, per: .seconds(60), on: time.scheduler))
        enqueue(9, in: queue)
        time.advance(by: .seconds(10))
        queue.rate = .window(5, per: .seconds(60))
        time.advance(by: .seconds(55))
        #expect(begun.entries == [0, 0, 10, 10, 10, 60, 60].map { .seconds($0) })
    }

    @Test func `a shorter window forgets the starts that are outside of it`() throws {
        let queue = queue(.window(1, per: .seconds(60), on: time.scheduler))
        enqueue(3, in: queue)
        time.advance(by: .seconds(30))
        queue.rate = .window(1, per: .seconds(10))
        try time.runToEnd()
        #expect(begun.entries == [0, 30, 40].map { .seconds($0) })
    }

    @Test func `a window of no length limits nothing`() {
        enqueue(3, in: queue(.window(1, per: .zero, on: time.scheduler)))
        #expect(begun.count == 3)
    }

    @Test func `a new rate counts earlier starts, wherever its limits stand`() {
        let quota = RateLimit.window(10, per: .seconds(60), on: time.scheduler)
        let fast = RateLimit(9, per: .zero, on: time.scheduler)
        let (longer, shorter) = (queue(quota), queue(fast.and(quota)))
        for queue in [longer, shorter] { enqueue(30, in: queue) }
        #expect(begun.count == 20)
        longer.rate = fast.and(quota)
        #expect(begun.count == 20)
        shorter.rate = .window(12, per: .seconds(60))
        #expect(begun.count == 22)
    }

    @Test func `a rate of more than ten million starts is not lowered`() {
        enqueue(20, in: queue(RateLimit(100_000_000, per: .seconds(100_000), on: time.scheduler)))
        time.advance(by: .milliseconds(10))
        #expect(begun.entries == (0...10).map { .milliseconds($0) })
    }

    @Test func `if several threads start the timer of a rate, the last one to compute its delay wins`() {
        let tokens = RateTokens(RateLimit(1, per: .seconds(9), burst: 2), at: .zero)
        for _ in 0..<2 { tokens.take() }
        // Until all starts are forgotten, and then until there is a token. The timers are started in the other order.
        let delays = [false, true].map { (tokens.timerDelay(isAwaited: $0, isKept: true)!, tokens.timerNumber) }
        for (delay, number) in delays.reversed() {
            tokens.timer.start(after: delay, on: time.scheduler, number: number) { [begun, time] in
                begun.add(time.now)
            }
        }
        time.advance(by: .seconds(20))
        #expect(begun.entries == [.seconds(9)])
    }
}
