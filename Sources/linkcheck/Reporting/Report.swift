// Report: the findings and counts of a check, and their text.

/// The findings and counts of a check so far.
struct Report: Equatable, Sendable {
    var findings: [Finding] = []
    var pages = 0
    var links = 0
    var skipped = 0
    var retries = 0
    var redirects = 0
}

extension Report: CustomStringConvertible {
    /// The counts, and a table of the broken links. Its order does not depend on the order of the responses.
    var description: String {
        let count = Set(findings.map { [$0.target, $0.reason] }).count
        var lines = [
            "Read \(pages, "page") with \(links, "link"), of which \(skipped) could not be checked; "
                + "followed \(redirects, "redirect"), tried again \(retries, "time")."
        ]
        if findings.isEmpty {
            lines.append("No broken links.")
        } else {
            lines += ["\(count, "broken link"):", "", table.description]
        }
        return lines.joined(separator: "\n")
    }

    /// The table of broken links, with a row for each place. A target and its reason are stated only once.
    private var table: Table {
        var table = Table(header: ["LINK", "WHY", "WHERE"])
        var last: Finding?
        for finding in Set(findings).sorted() {
            let isSame = last.map { ($0.target, $0.reason) == (finding.target, finding.reason) } ?? false
            table.rows.append([
                isSame ? "" : finding.target, isSame ? "" : finding.reason, "\(finding.place)",
            ])
            last = finding
        }
        return table
    }
}

extension DefaultStringInterpolation {
    /// Appends a count with its noun: `\(2, "page")` is "2 pages".
    mutating func appendInterpolation(_ count: Int, _ noun: String) {
        appendInterpolation("\(count) \(noun)\(count == 1 ? "" : "s")")
    }
}
