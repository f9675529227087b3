// Durations in error messages.

import Futures
import Testing

@Suite struct DurationRoundedTests {
    private static let durations: [(Duration, String)] = [
        (.seconds(5) - .nanoseconds(128_698), "5.0 seconds"), (.seconds(90) + .milliseconds(2), "90.002 seconds"),
        (.nanoseconds(299_999_999), "0.3 seconds"), (.seconds(0.25), "0.25 seconds"),
        (.nanoseconds(999_999_600), "1.0 seconds"), (.nanoseconds(12), "1.2e-08 seconds"),
        (.zero, "0.0 seconds"), (.seconds(-1), "0.0 seconds"),
    ]

    @Test(arguments: durations)
    func `a message shows a duration in milliseconds, a short one in microseconds`(duration: Duration, text: String) {
        let late = FutureError.timedOut(after: duration, origin: .init("here", line: 1))
        #expect("\(late)" == "There was no result within \(text), the time limit at here:1.")
        #expect("\(QueueError.waitTimedOut(after: duration))" == "The operation did not start within \(text).")
        #expect("\(QueueError.runTimedOut(after: duration))" == "The operation did not complete within \(text).")
    }

    @Test func `a message can show any duration`() {
        let endless = Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
        for duration in [.seconds(Int64.max), endless, .zero - endless] {
            #expect("\(QueueError.waitTimedOut(after: duration))".hasSuffix(" seconds."))
        }
    }
}
