// TextReport: the report for people.

enum TextReport {
    /// Returns the counts, and a table of the broken links.
    static func text(of report: Report, stoppedBy: String? = nil, isColored: Bool = false) -> String {
        let paint = { (text: String, color: String) in isColored ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text }
        var lines = [report.summary]
        if report.brokenCount == 0 {
            lines.append(paint("No broken links.", "32"))
        } else {
            lines += [paint("\(report.brokenCount, "broken link"):", "1;31"), "", table(of: report).description]
        }
        if let stoppedBy { lines.append("Stopped by \(stoppedBy): there may be more.") }
        return lines.joined(separator: "\n")
    }

    /// Returns the table of broken links, with a row for each place. A target and its reason are stated only once.
    private static func table(of report: Report) -> Table {
        var table = Table(header: ["LINK", "WHY", "WHERE"])
        for finding in report.findings {
            for (index, place) in finding.places.enumerated() {
                let isFirst = index == 0
                table.rows.append([isFirst ? finding.target : "", isFirst ? finding.reason : "", "\(place)"])
            }
        }
        return table
    }
}
