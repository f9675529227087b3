// DemonstrateCommand: checks the embedded site, and compares the findings with the planted faults.

import Foundation
import Futures

extension LinkCheck {
    /// Checks the embedded site, prints the report, and returns the exit status, which is 0 if the report is as
    /// expected.
    @MainActor
    static func demonstrate(_ arguments: Arguments) throws -> Int32 {
        let output = Output.standard
        try output.write(
            line: "With nothing to check, linkcheck checks a small site of its own. See linkcheck --help for more.\n")
        let embedded = try EmbeddedSite()
        defer { embedded.stop() }
        // Other options might change what is found.
        var options = Checker.Options()
        options.limits.perHost = arguments.options.limits.perHost
        options.limits.firstDelay = .milliseconds(50)
        let checker = Checker(options: options, names: embedded.names) { line in
            if arguments.reporting.isVerbose { say(line) }
        }
        let first = try select(checker.check([.site(embedded.address)]), or: StopSignal.future()).wait()

        try output.write(line: "\(checker.report)\n")
        if case .right(let signal) = first {
            try output.write(line: "Stopped by \(signal.cause): there is more.")
            return signal.exitStatus
        }
        var isAsPlanted = true
        for (claim, holds) in claims(about: embedded, checker.report, limit: options.limits.perHost) {
            try output.write(line: holds ? "  yes  \(claim)" : "  NO   \(claim)")
            isAsPlanted = isAsPlanted && holds
        }
        try output.write(line: isAsPlanted ? "\nThis is exactly what was planted." : "\nThis is not what was planted.")
        return isAsPlanted ? 0 : 1
    }

    private static func claims(
        about embedded: EmbeddedSite, _ report: Report, limit: Int
    ) -> [(claim: String, holds: Bool)] {
        let statuses = { (server: SiteServer, path: String) in
            server.exchanges.filter { $0.path == path }.map(\.status)
        }
        let planted = Planted.report
        let counts = { (report: Report) in [report.pages, report.links, report.ignored] }
        return [
            ("found each planted fault, and nothing else", report.findings == planted.findings),
            ("read \(planted.pages, "page") with \(planted.links, "link")", counts(report) == counts(planted)),
            (
                "the page that fails twice was requested three times",
                statuses(embedded.site, "/flaky.html") == [503, 503, 200] && report.retries == planted.retries
            ),
            (
                "the page that moved was found at its new address",
                statuses(embedded.site, "/old.html") == [301] && statuses(embedded.site, "/new.html").contains(200)
                    && report.redirects == planted.redirects
            ),
            ("the slow page was read", statuses(embedded.site, "/slow.html") == [200]),
            (
                "the neighbor that rejects HEAD got a GET request",
                statuses(embedded.neighbor, "/open.html") == [405, 200]
            ),
            (
                "no host had more than \(limit, "concurrent request")",
                embedded.site.peak <= limit && embedded.neighbor.peak <= limit
            ),
        ]
    }
}
