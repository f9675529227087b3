// Limits of a queue: capacity, rate and time limits. Contract/Queues.md

import Futures
import FuturesTesting
import Testing

@Suite struct FutureQueueLimitTests {
    @Test func `enqueuing into a full queue fails`() {
        let queue = FutureQueue(maxWaitingCount: 2)
        let gate = Promise<Int>()
        queue.enqueue(on: .immediate) { gate.future }
        let waiting = (0..<2).map { number in queue.enqueue(on: .immediate) { Future(number) } }
        let refused = queue.enqueue(on: .immediate) { Future(3) }
        #expect(refused.error as? QueueError == .full(maxWaitingCount: 2))
        waiting[0].cancel()
        let accepted = queue.enqueue(on: .immediate) { Future(4) }
        gate.succeed(1)
        #expect(waiting[1].success == 1)
        #expect(accepted.success == 4)
    }

    @Test func `a queue with a maxWaitingCount of zero runs operations that can start immediately`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let gate = Promise<Int>()
        #expect(queue.enqueue(on: .immediate) { Future(1) }.success == 1)
        queue.enqueue(on: .immediate) { gate.future }
        #expect(queue.enqueue(on: .immediate) { Future(1) }.error is QueueError)
    }

    @Test func `a producer that waits for capacity never finds the queue full`() {
        let queue = FutureQueue(maxWaitingCount: 3)
        let gates = (0..<100).map { _ in Promise<Int>() }
        let results = Log<Future<Int>>()
        @Sendable func produce(_ number: Int) -> Future<Void> {
            guard number < 100 else { return Future() }
            return queue.capacityAvailable().flatMap(on: .immediate) { _ in
                results.add(queue.enqueue(on: .immediate) { gates[number].future })
                return produce(number + 1)
            }
        }
        let produced = produce(0)
        #expect(results.count == 4)
        for (number, gate) in gates.enumerated() { gate.succeed(number) }
        #expect(produced.isCompleted)
        #expect(results.entries.map(\.success) == Array(0..<100))
    }

    @Test func `producers that wait for capacity are admitted one by one as capacity becomes available`() {
        let queue = FutureQueue(maxWaitingCount: 1)
        let gate = Promise<Int>()
        queue.enqueue(on: .immediate) { gate.future }
        queue.enqueue(on: .immediate) { Future(1) }
        let log = Log<String>()
        let refused = Shared(0)
        let blocker = Promise<Int>()
        let producers = (0..<3).map { number in
            queue.capacityAvailable().flatMap(on: .immediate) { _ -> Future<Int> in
                log.add("producer \(number)")
                return queue.enqueue(on: .immediate) { number == 0 ? blocker.future : Future(number) }
                    .onError(on: .immediate) { _ in refused.increment() }
            }
        }
        #expect(log.entries == [])
        gate.succeed(1)
        // The first operation runs now and the second one waits, so the queue has no capacity for the third one.
        #expect(log.entries == ["producer 0", "producer 1"])
        blocker.succeed(0)
        #expect(log.entries == ["producer 0", "producer 1", "producer 2"])
        #expect(producers.map(\.success) == [0, 1, 2])
        #expect(refused.value == 0)
    }

    @Test func `cancelling a wait for capacity does not affect the others`() {
        let queue = FutureQueue(maxWaitingCount: 0)
        let gate = Promise<Int>()
        queue.enqueue(on: .immediate) { gate.future }
        let waiting = queue.enqueue(on: .immediate) { Future(1) }
        #expect(waiting.error is QueueError)
        let small = FutureQueue(maxWaitingCount: 1)
        small.enqueue(on: .immediate) { gate.future }
        small.enqueue(on: .immediate) { Future(1) }
        let rooms = (0..<3).map { _ in small.capacityAvailable() }
        rooms[0].cancel()
        rooms[1].cancel()
        #expect(!rooms[2].isCompleted)
        gate.succeed(1)
        #expect(rooms[2].success != nil)
        #expect(small.capacityAvailable().success != nil)
    }
}

extension FutureQueueLimitTests {
    @Test func `operations start at most as often as the rate limit allows`() {
        let time = VirtualTime()
        let queue = FutureQueue(
            maxConcurrentCount: 10, rate: RateLimit(2, per: .seconds(1), on: time.scheduler))
        let begun = Log<Duration>()
        for _ in 0..<5 {
            queue.enqueue(on: .immediate) {
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
                queue.enqueue(on: .immediate) {
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

    @Test func `an operation that is cancelled before it starts uses up no start of the rate limit`() {
        let time = VirtualTime()
        let queue = FutureQueue(
            maxConcurrentCount: 2, rate: RateLimit(1, per: .seconds(60), on: time.scheduler),
            executeOn: time.scheduler)
        let begun = Log<Duration>()
        let start: @Sendable () -> Void = { begun.add(time.now) }
        // Its turn has come, and its hop has not.
        #expect(queue.runSync(start).cancel())
        queue.runSync(start)
        time.run()
        #expect(begun.entries == [.zero])
        queue.runSync(start)
        time.advance(by: .seconds(60))
        #expect(begun.entries == [.zero, .seconds(60)])
        #expect(queue.isEmpty)
        time.advance(by: .seconds(60))
        #expect(time.pendingCount == 0)
    }

    @Test func `a start that is given back does not let the next ones start earlier than the rate limit`() {
        let (time, gated) = (VirtualTime(), VirtualTime())
        let queue = FutureQueue(maxConcurrentCount: 2, rate: RateLimit(1, per: .seconds(60), on: time.scheduler))
        let begun = Log<Duration>()
        let start: @Sendable () -> Void = { begun.add(time.now) }
        let first = queue.runSync(on: gated.scheduler, start)
        for _ in 0..<3 { queue.runSync(on: .immediate, start) }
        time.advance(by: .seconds(50))
        #expect(begun.entries == [])
        first.cancel()
        #expect(begun.entries == [.seconds(50)])
        time.advance(by: .seconds(200))
        #expect(begun.entries == [.seconds(50), .seconds(110), .seconds(170)])
        // Nor later than its timer has already brought another one: no more than a burst is kept.
        let second = queue.runSync(on: gated.scheduler, start)
        time.advance(by: .seconds(100))
        second.cancel()
        for _ in 0..<2 { queue.runSync(on: .immediate, start) }
        #expect(begun.count == 4)
        time.advance(by: .seconds(60))
        #expect(begun.count == 5)
        #expect(queue.isEmpty)
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
                    queue.runSync(on: scheduler, for: .random(in: 0..<3, using: &random)) { begun.add(time.now) })
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

    @Test func `a queue with a rate limit is deallocated when its operations have ended`() {
        let (census, time) = (Census(), VirtualTime())
        do {
            let queue = FutureQueue(resource: census.make(), rate: RateLimit(1, per: .seconds(1), on: time.scheduler))
            for _ in 0..<3 { queue.enqueue(on: .immediate) { $0.pass(Future(1)) } }
        }
        #expect(census.alive == 1)
        time.advance(by: .seconds(2))
        #expect(census.alive == 0)
        time.advance(by: .seconds(2))
        #expect(time.pendingCount == 0)
    }

    @Test func `a queue with a rate limit stops its timer when it is released`() {
        let time = VirtualTime()
        do {
            let rate = RateLimit(1, per: .seconds(60), on: time.scheduler)
            FutureQueue(rate: rate).enqueue(on: .immediate) { Future(1) }
            KeyedFutureQueue<Int>(rate: rate).enqueue(on: .immediate, for: 1) { Future(1) }
            let queue = FutureQueue(rate: rate)
            for _ in 0..<3 { queue.enqueue(on: .immediate) { Future(1) } }
            time.advance(by: .seconds(130))
            #expect(time.pendingCount == 1)
        }
        #expect(time.pendingCount == 0)
    }

    @Test func `a negative maxWaitingCount traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FutureQueue(maxWaitingCount: -1)
        }
        expectTrap(result, saying: "maxWaitingCount must not be negative")
    }

    @Test func `a rate limit that allows nothing traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RateLimit(0, per: .seconds(1))
        }
        expectTrap(result, saying: "A rate needs a count")
    }
}

extension FutureQueueLimitTests {
    @Test func `an operation that waits too long fails and never starts`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let (gate, begun) = (Promise<Int>(), Shared(0))
        queue.enqueue(on: .immediate) { gate.future }
        let hurried = queue.enqueue(on: time.scheduler, waitTimeout: .seconds(5)) { Future(begun.increment()) }
        let errors = Log<QueueError?>()
        hurried.onError(on: .immediate) { errors.add($0 as? QueueError) }
        let next = queue.enqueue(on: .immediate) { Future(3) }
        time.advance(by: .seconds(4))
        #expect(errors.entries == [])
        time.advance(by: .seconds(1))
        #expect(errors.entries == [.waitTimedOut(after: .seconds(5))])
        #expect(queue.waitingCount == 1)
        gate.succeed(1)
        #expect(next.success == 3)
        #expect(begun.value == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an operation that may not wait starts immediately, or fails at its scheduler's next turn`(most: Duration) {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let gate = Promise<Int>()
        let first = queue.enqueue(on: .immediate, waitTimeout: most) { gate.future }
        let second = queue.enqueue(on: time.scheduler, waitTimeout: most) { Future(2) }
        #expect(!first.isCompleted)
        time.run()
        #expect(second.error as? QueueError == .waitTimedOut(after: most))
        gate.succeed(1)
        #expect(first.success == 1)
        let third = queue.enqueue(on: time.scheduler, runTimeout: most) { Future<Int>.never }
        time.run()
        #expect(third.error as? QueueError == .runTimedOut(after: most))
        #expect(queue.isEmpty)
    }

    @Test func `an operation that starts in time stops its timer`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let (gate, mine) = (Promise<Int>(), Promise<Int>())
        queue.enqueue(on: .immediate) { gate.future }
        let patient = queue.enqueue(on: time.scheduler, waitTimeout: .seconds(5)) { mine.future }
        time.advance(by: .seconds(4))
        gate.succeed(1)
        time.advance(by: .seconds(100))
        #expect(!patient.isCompleted)
        #expect(time.pendingCount == 0)
        mine.succeed(2)
        #expect(patient.success == 2)
    }

    @Test func `an operation that runs too long fails, and the future that it returned is cancelled`() {
        let (time, queue) = (VirtualTime(), FutureQueue(resource: 1))
        let (inner, gate) = (Promise<Int>(), Promise<Int>())
        queue.enqueue(on: .immediate) { _ in gate.future }
        let slow = queue.enqueue(on: time.scheduler, runTimeout: .seconds(5)) { _ in inner.future }
        slow.onError(on: .immediate) { _ in }
        let next = queue.enqueue(on: .immediate) { _ in Future(3) }
        // The time limit starts with the operation.
        time.advance(by: .seconds(10))
        gate.succeed(1)
        time.advance(by: .seconds(4))
        #expect(!slow.isCompleted)
        time.advance(by: .seconds(1))
        #expect(slow.error as? QueueError == .runTimedOut(after: .seconds(5)))
        #expect(inner.future.isCancelled)
        #expect(next.success == 3)
        #expect(time.pendingCount == 0)
    }

    @Test func `an operation that ends in time stops its timer`() {
        let (time, queue) = (VirtualTime(), FutureQueue())
        let quick = queue.enqueue(on: time.scheduler, waitTimeout: .seconds(5), runTimeout: .seconds(5)) {
            Future(1)
        }
        time.run()
        #expect(quick.success == 1)
        #expect(time.pendingCount == 0)
    }

    @Test func `a repeated operation has its full time again`() {
        let (time, queue, runs) = (VirtualTime(), FutureQueue(), Shared(0))
        let repeated = queue.enqueue(on: time.scheduler, waitTimeout: .seconds(1), runTimeout: .seconds(5)) {
            runs.increment() < 3 ? Future<Int>.never : Future(runs.value)
        }.onErrorRepeat(on: .immediate) { $0 as? QueueError == .runTimedOut(after: .seconds(5)) }
        time.advance(by: .seconds(9))
        #expect(runs.value == 2)
        time.advance(by: .seconds(1))
        #expect(repeated.success == 3)
    }

    @Test func `operations with time limits are deallocated`() {
        let (census, time) = (Census(), VirtualTime())
        let gate = Promise<Int>()
        do {
            let queue = FutureQueue(resource: census.make())
            queue.enqueue(on: .immediate) { $0.pass(gate.future) }
            queue.enqueue(on: time.scheduler, waitTimeout: .seconds(1)) { $0.pass(Future(1)) }
            queue.enqueue(on: time.scheduler, waitTimeout: .seconds(9)) { $0.pass(Future(1)) }.cancel()
            queue.enqueue(on: time.scheduler, runTimeout: .seconds(1)) { $0.pass(Future<Int>.never) }
        }
        time.advance(by: .seconds(1))
        gate.succeed(1)
        time.advance(by: .seconds(1))
        #expect(census.alive == 0)
        #expect(time.pendingCount == 0)
    }
}
