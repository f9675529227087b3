// Timeline: futures drawn as text, `--1`.

import Futures

/// When a future completes, drawn as text: one `-` for each tick, and then its end.
///
///     let time = VirtualTime()
///     let (a, b) = (time.future("--1"), time.future("----2"))
///     let (both, first) = (time.timeline(of: join(a, b)), time.timeline(of: select(between: [a, b])))
///     try time.runToEnd()
///     #expect(both.drawing == "----(1,2)")
///     #expect(first.drawing == "--1")
///
/// The end is the value's description without quotation marks and spaces, `^` if the future fails, and `!` if it is
/// cancelled. A future that is pending has no end.
public final class Timeline: Sendable, CustomStringConvertible, CustomReflectable, Summarized {
    private let clock: VirtualClock
    private let start: Duration
    private let tick: Duration
    private let end = Locked<(text: String, time: Duration)?>(nil)

    init(clock: VirtualClock, tick: Duration) {
        self.clock = clock
        self.tick = tick
        start = clock.elapsed
    }

    func complete(_ text: String) {
        let time = clock.elapsed
        end.withLock { $0 = (text, time) }
    }

    /// The ticks from the start of the timeline to the end, or until now, and the end. If the future did not complete
    /// at a tick, the time since the last one is in between, as in `--(+0.5 seconds)1`. More than a thousand ticks are
    /// one with their number, as in `-(x2000)1`.
    public var drawing: String {
        let end = end.withLock { $0 }
        let time = (end?.time ?? clock.elapsed) - start
        // Not `time / tick`, which is rounded.
        let (count, attoseconds) = time.attoseconds.quotientAndRemainder(dividingBy: tick.attoseconds)
        let rest = Duration(attoseconds: attoseconds)
        let dashes = count > 1000 ? "-(x\(count))" : String(repeating: "-", count: Int(count))
        guard let end else { return dashes }
        return dashes + (rest == .zero ? "" : "(+\(rest))") + end.text
    }

    package var summary: Summary { ("Timeline", ["drawing": drawing]) }
}

/// The error of a future whose drawing has a `^`.
public struct TimelineError: Error, Equatable {
    /// Creates the error.
    package init() {}
}

extension VirtualTime {
    /// Returns a future that completes as `drawing` shows: `--1` succeeds with the text `1` after two ticks, `-^` fails
    /// with a ``TimelineError`` after one, `-!` is cancelled, and `---` stays pending.
    ///
    /// - Parameters:
    ///   - drawing: The ticks, and the end.
    ///   - tick: The duration of a `-`.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Precondition: The `-` are in front of the end, and `tick` is positive.
    public func future(
        _ drawing: String, tick: Duration = .seconds(1), file: StaticString = #fileID, line: UInt = #line
    ) -> Future<String> {
        let count = drawing.prefix { $0 == "-" }.count
        let end = String(drawing.dropFirst(count))
        guard !end.contains("-"), tick > .zero else {
            fatalError(
                "future(\"\(drawing)\", tick: \(tick)) is no timeline. Draw one - for each tick, and then the end: a value, "
                    + "^ for a failure, ! for a cancel, or nothing.", file: file, line: line)
        }
        let result: Future<String> =
            switch end {
            case "": .never
            case "^": Future(error: TimelineError())
            case "!": Future(error: CancellationError())
            default: Future(end)
            }
        return result.delay(by: min(tick, .longest / max(count, 1)) * count, on: scheduler)
    }

    /// Starts to draw when `future` completes.
    ///
    /// The timeline is a listener of the future, so that is not cancelled because others leave.
    ///
    /// - Parameters:
    ///   - future: The future to draw.
    ///   - tick: The duration of a `-`.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: A timeline that is complete when the future has completed.
    /// - Precondition: `tick` is positive.
    public func timeline<Value: Sendable>(
        of future: Future<Value>, tick: Duration = .seconds(1), file: StaticString = #fileID, line: UInt = #line
    ) -> Timeline {
        guard tick > .zero else {
            fatalError(
                "timeline(of:tick: \(tick)) could not be drawn. Pass a positive duration.", file: file, line: line)
        }
        let timeline = Timeline(clock: clock, tick: tick)
        future.onResult(on: .immediate) { result in
            switch result {
            case .success(let value): timeline.complete("\(value)".filter { $0 != "\"" && $0 != " " })
            case .failure(let error): timeline.complete(error is CancellationError ? "!" : "^")
            }
        }
        return timeline
    }
}
