// CheckCommand: checks sites, folders and files until all links are checked, or until Ctrl-C.

import Foundation
import Futures

extension LinkCheck {
    /// Checks all of `starts`, prints the report, and returns the exit status.
    @MainActor
    static func check(_ starts: [Start], options: Checker.Options, log: @escaping (String) -> Void) throws
        -> Int32
    {
        let checker = Checker(options: options, log: log)
        // `select` cancels the loser: Ctrl-C cancels all requests that are running or waiting.
        let first = try select(checker.check(starts), or: .signal(SIGINT)).wait()

        print(checker.report)
        guard case .right = first else { return checker.report.brokenCount == 0 ? 0 : 1 }
        print("Stopped by Ctrl-C: there may be more.")
        return checker.report.brokenCount == 0 ? 130 : 1
    }
}
