// CheckCommand: checks sites, folders and files until all links are checked, or until a signal.

import Foundation
import Futures

extension LinkCheck {
    /// Checks all of `starts`, writes the report, and returns the exit status.
    @MainActor
    static func check(_ starts: [Start], options: Checker.Options, log: @escaping (String) -> Void) throws
        -> Int32
    {
        let checker = Checker(options: options, log: log)
        // The report is lost if the process is killed, but not what it has found.
        checker.onFinding = { target, reason, place in say("broken: \(target): \(reason) (\(place))".printable) }
        // `select` cancels the loser: a signal cancels all requests that are running or waiting.
        let first = try select(checker.check(starts), or: StopSignal.future()).wait()

        let report = checker.report
        try Output.standard.write(line: "\(report)")
        guard case .right(let signal) = first else { return report.brokenCount == 0 ? 0 : 1 }
        try Output.standard.write(line: "Stopped by \(signal.cause): there may be more.")
        return report.brokenCount == 0 ? signal.exitStatus : 1
    }
}
