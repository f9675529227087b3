// JSONReport: the report for other programs.

import Foundation

enum JSONReport {
    private struct Content: Encodable {
        let pages: Int
        let links: Int
        let ignored: Int
        let redirects: Int
        let retries: Int
        /// The signal that has ended the check, if any.
        let stoppedBy: String?
        let broken: [Finding]
    }

    static func text(of report: Report, stoppedBy: String?) throws -> String {
        let content = Content(
            pages: report.pages, links: report.links, ignored: report.ignored, redirects: report.redirects,
            retries: report.retries, stoppedBy: stoppedBy, broken: report.findings)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }
}
