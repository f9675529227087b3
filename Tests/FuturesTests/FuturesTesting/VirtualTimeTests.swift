// VirtualTime: a clock that the test advances. Contract/Testing.md

import Futures
import FuturesTesting
import Testing

@Suite struct VirtualTimeTests {
    private let time = VirtualTime()

    @Test func `virtual time runs jobs in the order of time, and at equal times in the order of arrival`() {
        let log = Log<[Int]>()
        for arrival in 0..<60 {
            let second = arrival * 7 % 3
            time.scheduler.async(after: .seconds(second)) {
                #expect(time.now == .seconds(second))
                log.add([second, arrival])
            }
        }
        #expect(log.entries == [])
        time.advance(by: .seconds(10))
        #expect(log.count == 60)
        #expect(log.entries == log.entries.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(time.now == .seconds(10))
    }

    @Test func `code that takes a clock sleeps by virtual time`() throws {
        @Sendable func nap(_ clock: some Clock<Duration>) async throws { try await clock.sleep(for: .seconds(2)) }
        let slept = Future(on: time.scheduler) { [time] in try await nap(time.scheduler) }
        time.advance(by: .seconds(1))
        #expect(!slept.isCompleted)
        time.advance(by: .seconds(1))
        #expect(slept.isCompleted && slept.error == nil)
        try time.checkNothingPending()
    }

    @Test func `runToEnd moves the clock from timer to timer until nothing is pending`() throws {
        let late = Future(1).delay(by: .seconds(60), on: time.scheduler)
            .flatMap(on: time.scheduler) { Future($0 + 1).delay(by: .seconds(30), on: time.scheduler) }
        try time.runToEnd()
        #expect(late.success == 2)
        #expect(time.now == .seconds(90))
    }

    @Test func `runToEnd stops if work never ends, and names the pending work`() throws {
        let runs = Shared(0)
        let endless = Future<Int>(on: .immediate, immediate: { throw Oops(runs.increment()) })
            .onErrorRepeat(on: time.scheduler, delayBetweenRepetitions: .seconds(1)) { _ in true }
        #expect(throws: VirtualTime.StillPending.self) { try time.runToEnd(limit: 100) }
        #expect((30...101).contains(runs.value))
        endless.cancel()
        try time.runToEnd(limit: 0)
    }

    @Test func `checkNothingPending names the pending work and its times`() throws {
        try time.checkNothingPending()
        time.advance(by: .seconds(1))
        let timers = (2...3).map { time.scheduler.async(after: .seconds($0)) {} }
        time.scheduler.async {}
        let error = #expect(throws: VirtualTime.StillPending.self) { try time.checkNothingPending() }
        #expect(error?.dueTimes == [.seconds(1), .seconds(3), .seconds(4)])
        #expect(
            error?.description
                == "At 1.0 seconds, these are still pending: a callback, due since 1.0 seconds; a timer, due at 3.0 "
                + "seconds; a timer, due at 4.0 seconds. Advance the clock if they should run; otherwise cancel the "
                + "futures that they belong to.")
        for timer in timers { timer.dispose() }
        time.run()
        try time.checkNothingPending()
    }
}
