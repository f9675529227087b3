// Diagnostics: shows what is pending, and why.

import Futures

/// Shows which futures are pending, what each of them waits for, and where it was made.
///
///     Diagnostics.isOn = true                    // or start the program with FUTURES_DIAGNOSE=1
///     // The program runs, until it hangs.
///     print(Diagnostics.report())
///
/// Futures whose failure nothing observes, promises that are released without being completed, blocked schedulers, deep
/// queues and others are events, which are printed when they happen: ``onEvent(_:)``, ``limits``.
///
/// With `FUTURES_DIAGNOSE=1` in the environment, Ctrl-\ (`SIGQUIT`) in the terminal of the program prints the report to
/// standard error, and the program continues. A program that exits while futures are pending prints it, too.
/// `Documentation/Guides/Debugging.md` shows how to find bugs with it.
///
/// While diagnosing is off, it costs nothing but a comparison for each step. While it is on, each future that is made
/// costs about a microsecond and 200 to 400 bytes.
public enum Diagnostics {
    /// Whether futures, promises and operations of queues note where and when they are made.
    ///
    /// It is on from the start of the process if the environment variable `FUTURES_DIAGNOSE` is set, unless it is 0.
    /// Futures that were made while it was off are shown only where others wait for them, and without their ages.
    public static var isOn: Bool {
        get { Recording.isOn }
        set {
            if newValue { startEvents() }
            Watcher.set(isOn: newValue)
        }
    }

    /// Returns a description of all futures that are pending and were made while diagnosing was on.
    ///
    /// Deadlocks come first: operations and futures that wait for each other in a cycle. Then each queue, lock and pool
    /// with the operations that run and wait, and then the chains of futures, those of the same code together, from
    /// their ends to what they wait for. Other threads continue meanwhile, so futures that complete at that moment may
    /// be described or not. It is safe to call this from any thread, also in a callback.
    ///
    /// Chains of the same code that have become more since the report before have the difference in their line: what
    /// grows from report to report may be a leak.
    ///
    /// Of a queue, the first eight operations that wait are shown, and the number of the others. A deadlock is found
    /// through up to 32 running operations of each queue.
    ///
    /// - Complexity: O(*n*) in the number of pending futures. No queue is locked for longer than a few microseconds.
    public static func report() -> String {
        let report = Report(WaitGraph.ofAll(countsDeepQueues: true))
        return report.text(since: ReportedCounts.replace(by: report.counts))
    }

    /// Returns the graph of waits, to be drawn by Graphviz or as a diagram in Markdown. Deadlocks are red.
    ///
    /// - Parameter format: The language of the graph.
    public static func waitGraph(_ format: WaitGraphFormat = .dot) -> String {
        let graph = WaitGraph.ofAll(countsDeepQueues: false)
        return switch format {
        case .dot: graph.dot
        case .mermaid: graph.mermaid
        }
    }

    /// The languages in which ``waitGraph(_:)`` describes a graph.
    public enum WaitGraphFormat: Sendable {
        /// The language of Graphviz: `dot -Tsvg`.
        case dot
        /// The language of Mermaid, which GitHub and others draw in Markdown.
        case mermaid
    }
}
