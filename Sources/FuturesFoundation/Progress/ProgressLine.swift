// ProgressLine: shows how far a command-line program is.

import Futures

/// A line that shows how far a command-line program is: how much is done, the rate, and the time left.
///
///     let pages = ProgressCounter(total: 100)
///     let line = ProgressLine("pages", pages)
///     download(counting: pages).showing(line)
///
/// ```text
/// pages  [##################----------------------]  45/100  45%  12.3/s  0:05 left
/// ```
///
/// The line is on the standard error: in a terminal, it is drawn again ten times a second. Elsewhere, as in a log file, a line is written every ten
/// seconds, and one at the end.
public final class ProgressLine: Sendable {
    /// What is counted.
    ///
    /// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Unit: Sendable, Equatable {
        /// Things, such as files.
        case items
        /// Bytes, which are shown as kB, MB and so on.
        case bytes
    }

    private struct State {
        /// The number of uses that have started and not ended.
        var useCount = 0
        var timer: (any Disposable)?
        var start: ContinuousClock.Instant?
        var rate = ProgressRate()
    }

    private let title: String
    private let unit: Unit
    private let terminal: Terminal
    private let scheduler: Scheduler
    private let interval: Duration
    private let counter: ProgressCounter
    private let state = Locked(State())

    /// Creates a line that shows a counter.
    ///
    /// - Parameters:
    ///   - title: What is counted.
    ///   - counter: The counter.
    ///   - unit: Whether it counts things or bytes.
    public convenience init(_ title: String, _ counter: ProgressCounter, unit: Unit = .items) {
        self.init(title, counter, unit: unit, in: .standardError)
    }

    // Not on a shared scheduler: a terminal may block.
    init(
        _ title: String, _ counter: ProgressCounter, unit: Unit = .items, in terminal: Terminal,
        on scheduler: Scheduler = Scheduler(label: "futures.progress")
    ) {
        self.title = title
        self.unit = unit
        self.terminal = terminal
        self.scheduler = scheduler
        self.counter = counter
        interval = terminal.isInteractive ? .milliseconds(100) : .seconds(10)
    }

    /// Shows the line until the returned object is disposed or released, which shows it for the last time.
    ///
    /// The last one is written before the disposal returns, so that a program can then exit.
    public func show() -> Disposer {
        scheduler.sync { begin() }
        return Disposer { [self] in scheduler.sync { end() } }
    }

    /// Writes a message above the line.
    ///
    /// - Parameter message: The message. A line break is added.
    public func print(_ message: String) {
        scheduler.sync {
            terminal.write(terminal.isInteractive ? "\r\u{1B}[K\(message)\n" : "\(message)\n")
            if terminal.isInteractive, state.withLock({ $0.useCount > 0 }) { draw() }
        }
    }
}

extension ProgressLine {
    private func begin() {
        let now = scheduler.now
        let isFirst = state.withLock { state in
            state.useCount += 1
            if state.start == nil { state.start = now }
            return state.useCount == 1
        }
        guard isFirst else { return }
        _ = text()
        if terminal.isInteractive { draw() }
        wait()
    }

    private func end() {
        let (timer, start) = state.withLock { state in
            state.useCount -= 1
            return (state.useCount == 0 ? state.timer.take() : nil, state.start)
        }
        guard let timer else { return }
        timer.dispose()
        if terminal.isInteractive {
            draw()
            terminal.write("\n")
        } else {
            var text = text()
            text.rate = nil
            terminal.write(text.plain(after: start.map { $0.duration(to: scheduler.now) }) + "\n")
        }
    }

    private func wait() {
        let timer = scheduler.async(after: interval) { [weak self] in
            guard let self, state.withLock({ $0.useCount > 0 }) else { return }
            if terminal.isInteractive { draw() } else { terminal.write(text().plain() + "\n") }
            wait()
        }
        state.withLock { $0.timer = timer }
    }

    private func draw() {
        // Returns to the start of the line, and erases what is left of it.
        terminal.write("\r" + text().drawn(width: terminal.width(), color: terminal.showsColors) + "\u{1B}[K")
    }

    private func text() -> ProgressText {
        let (numbers, now) = (counter.snapshot, scheduler.now)
        let rate = state.withLock { $0.rate.update(numbers.completed, at: now) }
        return ProgressText(title: title, unit: unit, numbers: numbers, rate: rate)
    }
}

extension Future {
    /// Shows a line while this future is pending, and returns a future of the same result.
    ///
    /// - Parameter line: The line.
    @discardableResult
    public func showing(_ line: ProgressLine) -> Future {
        // The second step, in place, comes behind the disposal, which other threads may be in.
        performWhile(on: .immediate) { line.show() }.mapResult(on: .immediate) { try $0.get() }
    }
}
