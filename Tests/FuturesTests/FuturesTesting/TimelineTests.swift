// Timeline: futures drawn as text.

import Futures
import FuturesTesting
import Testing

@Suite struct TimelineTests {
    private let time = VirtualTime()

    /// How two drawn futures are combined, as drawn.
    private func draw<T>(_ a: String, _ b: String, _ combine: (Future<String>, Future<String>) -> Future<T>) throws
        -> String
    {
        let timeline = time.timeline(of: combine(time.future(a), time.future(b)))
        try time.runToEnd()
        return timeline.drawing
    }

    @Test func `a timeline draws the ticks and the value of a future`() throws {
        #expect(try draw("--1", "----2") { join($0, $1) } == "----(1,2)")
        #expect(try draw("--1", "----2") { select(between: [$0, $1]) } == "--1")
        #expect(try draw("1", "-2") { join([$0, $1]) } == "-[1,2]")
        #expect(try draw("--12", "") { a, _ in a.map(on: .immediate) { Int($0)! + 1 } } == "--13")
    }

    @Test func `a timeline draws a failure as ^ and a cancel as !`() throws {
        #expect(try draw("--1", "-^") { join($0, $1) } == "-^")
        #expect(try draw("--1", "-!") { join($0, $1) } == "-!")
        #expect(time.future("^").error is TimelineError)
        #expect(time.future("!").isCancelled)
    }

    @Test func `a timeline of a pending future has the ticks until now`() throws {
        let timeline = time.timeline(of: time.future("---"))
        #expect(timeline.drawing == "")
        time.advance(by: .seconds(5))
        #expect(timeline.drawing == "-----")
    }

    @Test func `a tick has any length`() {
        #expect(!time.future(String(repeating: "-", count: 20) + "1", tick: .seconds(Int.max)).isCompleted)
    }

    @Test func `a timeline starts when it is made, and shows the time since the last tick`() throws {
        time.advance(by: .seconds(3))
        let future = Future(1).delay(by: .milliseconds(2500), on: time.scheduler)
        let (seconds, halves) = (time.timeline(of: future), time.timeline(of: future, tick: .milliseconds(500)))
        try time.runToEnd()
        #expect(seconds.drawing == "--(+0.5 seconds)1")
        #expect(halves.drawing == "-----1")
    }
}
