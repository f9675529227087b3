// JSONReport: the report for other programs.

import Foundation

enum JSONReport {
    private struct Content: Encodable {
        struct Broken: Encodable {
            let target: String
            let reason: String
            let places: [Position]
        }

        struct Position: Encodable {
            let page: String
            let line: Int
        }

        let pages: Int
        let links: Int
        let ignored: Int
        let redirects: Int
        let retries: Int
        /// The signal that has ended the check, if any.
        let stoppedBy: String?
        let broken: [Broken]
    }

    static func text(of report: Report, stoppedBy: String?) throws -> String {
        let broken = report.findings.map { finding in
            Content.Broken(
                target: finding.target, reason: finding.reason,
                places: finding.places.map { Content.Position(page: $0.page, line: $0.line) })
        }
        let content = Content(
            pages: report.pages, links: report.links, ignored: report.ignored, redirects: report.redirects,
            retries: report.retries, stoppedBy: stoppedBy, broken: broken)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }
}
