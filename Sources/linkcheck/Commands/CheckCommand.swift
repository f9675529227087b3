// CheckCommand: checks sites, folders and files until all links are checked, or until a signal.

import Foundation
import Futures

extension LinkCheck {
    /// Checks all of `starts`, writes the report, and returns the exit status.
    @MainActor
    static func check(_ starts: [Start], _ arguments: Arguments) throws -> Int32 {
        let reporting = arguments.reporting
        let isQuiet = reporting.isQuiet
        let progress = ProgressLine(isShown: !isQuiet && !reporting.isVerbose && Output.standardError.isTerminal)
        let cache = arguments.files.cache.map { ResultCache(file: $0, age: arguments.files.cacheAge) }
        let checker = Checker(options: arguments.options, cache: cache) { line in
            if reporting.isVerbose { say(line.withoutPasswords.printable) }
        }
        checker.onProgress = { progress.update(visited: $0, known: $1) }
        // The report is lost if the process is killed, but not what it has found.
        checker.onFinding = { target, reason, place in
            guard !isQuiet else { return }
            progress.clear()
            say("broken: \(target): \(reason) (\(place))".printable)
        }
        let diagnosis = Diagnosis(reporting)
        // Caught before the first finding is written, after which others may send a signal.
        let stop = StopSignal.future().onValue { _ in diagnosis?.write() }
        // `select` cancels the loser: a signal cancels all requests that are running or waiting.
        let first = try select(checker.check(starts), or: stop).wait()
        progress.clear()
        if first.right == nil { diagnosis?.write() }

        let signal = first.right
        let isGood = checker.report.brokenCount == 0
        if !isQuiet || !isGood || reporting.format != .text {
            try write(checker.report, reporting, stoppedBy: signal?.cause)
        }
        try cache?.save().wait()
        return isGood ? signal?.exitStatus ?? 0 : 1
    }

    private static func write(_ report: Report, _ reporting: ReportingOptions, stoppedBy cause: String?) throws {
        let output = Output.standard
        let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let isColored =
            switch reporting.color {
            case .auto: output.isTerminal && !isPlain
            case .always: true
            case .never: false
            }
        let text =
            switch reporting.format {
            case .text: TextReport.text(of: report, stoppedBy: cause, isColored: isColored)
            case .json: try JSONReport.text(of: report, stoppedBy: cause)
            case .junit: JUnitReport.text(of: report, stoppedBy: cause)
            case .github: GitHubReport.text(of: report, stoppedBy: cause)
            }
        try output.write(line: text)
    }
}
