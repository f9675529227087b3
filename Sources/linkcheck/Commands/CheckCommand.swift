// CheckCommand: checks what it is given, until all is checked or Ctrl-C.

import Foundation
import Futures

extension LinkCheck {
    /// Checks the starts, shows the report, and tells the exit status.
    @MainActor
    static func check(_ starts: [Start], options: Checker.Options, log: @escaping (String) -> Void) throws
        -> Int32
    {
        let checker = Checker(options: options, log: log)
        // The loser of a select is cancelled: Ctrl-C takes back every request that is under way or waits.
        let first = try select(checker.check(starts), or: .signal(SIGINT)).wait()

        print(checker.report)
        guard case .right = first else { return checker.report.findings.isEmpty ? 0 : 1 }
        print("Stopped by Ctrl-C: there may be more.")
        return checker.report.findings.isEmpty ? 130 : 1
    }
}
