// VirtualTime: work that leaves it for real threads and clocks. Contract/Testing.md

import Futures
import FuturesTesting
import Testing

@Suite struct VirtualTimeEscapeTests {
    private let time = VirtualTime()

    /// Runs `body` in a job of virtual time, and returns what it has let escape.
    private func escapes(_ body: @escaping @Sendable () -> Void) -> [VirtualTime.Escape] {
        let time = VirtualTime()
        time.scheduler.async(body)
        time.run()
        return time.escapes
    }

    @Test func `a callback that leaves virtual time is reported, with the scheduler that it went to`() throws {
        let promise = Promise<Int>()
        let line = #line - 1
        let last = promise.future.delay(by: nil, on: time.scheduler).map { $0 }
        promise.future.map { $0 }.onValue(on: .immediate) { _ in }
        time.scheduler.async(after: .seconds(3)) { promise.succeed(1) }
        let error = #expect(throws: VirtualTime.Escaped.self) { try time.runToEnd() }
        #expect(error?.escapes.map(\.scheduler) == [.background, .background])
        #expect(error?.escapes.map(\.time) == [.seconds(3), .seconds(3)])
        // The one that is attached to the promise's future.
        #expect(
            error?.escapes.map(\.work).contains(
                "a callback of the future made at FuturesTests/VirtualTimeEscapeTests.swift:\(line)") == true)
        #expect(error?.description.contains("on Scheduler(futures.background), at 3.0 seconds") == true)
        #expect(error?.description.contains("Pass `on:` the scheduler of virtual time") == true)
        #expect(throws: VirtualTime.Escaped.self) { try time.checkNothingPending() }
        _ = try last.wait(timeout: testTimeout)
    }

    @Test func `a timer, a task or a reading of a real clock that leaves virtual time is reported`() {
        let own = Scheduler(label: "own")
        let timers = escapes {
            for scheduler in [own, .main, .immediate] { scheduler.async(after: .seconds(3600)) {}.dispose() }
        }
        #expect(timers.map(\.work) == Array(repeating: "a timer of 3600.0 seconds", count: 3))
        #expect(timers.map(\.scheduler) == [own, .main, .immediate])
        #expect(escapes { _ = own.now }.map(\.work) == ["a reading of the clock"])
        let tasks = escapes { Future { try await Task.sleep(for: .zero) }.cancel() }
        #expect(tasks.map(\.work) == ["a task"])
        #expect(tasks.map(\.scheduler) == [nil])
        #expect(tasks.map(\.description) == ["a task on the concurrent pool, at 0.0 seconds"])
    }

    @Test func `work escapes from a perform and a sync of virtual time too, and from no other code`() {
        Scheduler.background.async {}
        #expect(time.escapes.isEmpty)
        time.scheduler.perform { Scheduler.background.async {} }
        #expect(time.escapes.count == 1)
        time.scheduler.sync { Scheduler.background.async {} }
        #expect(time.escapes.count == 2)
        time.scheduler.sync { Scheduler.background.perform { Scheduler.background.async {} } }
        #expect(time.escapes.count == 3)
        time.scheduler.async {
            onAnotherThread { Scheduler.background.async {} }
            Scheduler.background.sync {}
        }
        time.run()
        #expect(time.escapes.count == 3)
    }

    @Test func `immediate, other virtual times and the code of actors are no escape from virtual time`() throws {
        let (other, log) = (VirtualTime(), Log<Int>())
        time.scheduler.async {
            Scheduler.immediate.async { log.add(1) }
            other.scheduler.async(after: .seconds(1)) { log.add(2) }
            _ = other.scheduler.now
            Future(3).onValue { @MainActor in log.add($0) }
        }
        try time.runToEnd()
        try other.runToEnd()
        #expect(log.entries.filter { $0 < 3 } == [1, 2])
    }

    @Test func `a virtual time that is not strict allows escapes`() throws {
        let time = VirtualTime(isStrict: false)
        time.scheduler.async { Scheduler.background.async {} }
        try time.runToEnd()
        #expect(time.escapes.isEmpty)
    }
}
