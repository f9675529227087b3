// LatestOperation: the latest of many operations wins, also after a waiting time. Contract/Sharing.md

import Futures
import FuturesTesting
import Testing

@Suite struct LatestOperationTests {
    private let time = VirtualTime(), log = Log<String>()

    /// Calls an operation that completes when it is cancelled, and logs both.
    private func call(_ latest: LatestOperation, _ name: String) -> Future<Int> {
        latest.future(on: .immediate) { [log] in log.add(name, returning: stoppable { log.add("\(name) stopped") }) }
    }

    /// Calls operations, each at its time, and returns which ones start, with the time in tenths of a second.
    private func starts(_ latest: LatestOperation, _ calls: KeyValuePairs<Int, String>) -> [String] {
        let starts = Log<String>()
        for (tenths, name) in calls {
            time.advance(by: .milliseconds(100 * tenths) - time.now)
            _ = latest.future(on: .immediate) { [time] in
                starts.add("\(name) \(time.now / .milliseconds(100))", returning: Future())
            }
        }
        time.advance(by: .seconds(10))
        return starts.entries
    }

    @Test func `a new operation cancels the one before it, even if that has listeners`() {
        let latest = LatestOperation()
        let first = call(latest, "a")
        let listener = first.map(on: .immediate) { $0 }
        let second = call(latest, "b")
        #expect(log.entries == ["a", "a stopped", "b"])
        #expect([first, listener].map(\.isCancelled) == [true, true])
        #expect(!second.isCompleted)
        second.cancel()
        #expect(log.entries.last == "b stopped")
        #expect(latest.future(on: .immediate) { Future("c") }.success == "c")
        #expect(latest.future(on: .immediate) { throw Oops(1) }.map(on: .immediate) { 1 }.error as? Oops == Oops(1))
    }

    @Test func `debounce starts the last call of a burst, and throttle one call in an interval`() {
        let calls: KeyValuePairs = [0: "a", 1: "b", 2: "c", 12: "d", 13: "e", 30: "f"]
        let debounced = LatestOperation(debounce: .milliseconds(300), on: time.scheduler)
        #expect(starts(debounced, calls) == ["c 5.0", "e 16.0", "f 33.0"])
        let other = LatestOperationTests()
        let throttled = LatestOperation(throttle: .seconds(1), on: other.time.scheduler)
        #expect(other.starts(throttled, calls) == ["a 0.0", "c 10.0", "e 20.0", "f 30.0"])
        let both = LatestOperationTests()
        let rare = LatestOperation(debounce: .milliseconds(300), throttle: .seconds(1), on: both.time.scheduler)
        #expect(both.starts(rare, calls) == ["c 5.0", "e 16.0", "f 33.0"])
    }

    @Test func `an operation continues while calls wait, and is cancelled when the next one starts`() throws {
        let latest = LatestOperation(debounce: .seconds(1), on: time.scheduler)
        let first = call(latest, "a")
        time.advance(by: .seconds(1))
        let second = call(latest, "b")
        time.advance(by: .milliseconds(999))
        let third = call(latest, "c")
        #expect(second.isCancelled)
        time.advance(by: .milliseconds(999))
        #expect(!first.isCompleted)
        time.advance(by: .milliseconds(1))
        #expect(first.isCancelled)
        #expect(log.entries == ["a", "a stopped", "c"])
        #expect("\(latest)" == "LatestOperation(isWaiting: false, isRunning: true)")
        third.cancel()
        call(latest, "d").cancel()
        #expect("\(latest)" == "LatestOperation(isWaiting: false, isRunning: false)")
        try time.checkNothingPending()
        #expect(log.count == 4)
    }

    @Test func `a call without a waiting time supersedes the other calls of its callback`() {
        let latest = LatestOperation()
        Future(1).onValue(on: .immediate) { _ in for name in ["a", "b", "c"] { _ = call(latest, name) } }
        #expect(log.entries == ["c"])
    }
}
