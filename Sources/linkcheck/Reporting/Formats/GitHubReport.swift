// GitHubReport: the report as annotations, which GitHub shows in the files of a change.

enum GitHubReport {
    static func text(of report: Report, stoppedBy: String?) -> String {
        var lines: [String] = []
        for finding in report.findings {
            for place in finding.places {
                let position = place.line > 0 ? "file=\(escaped(place.page, isProperty: true)),line=\(place.line)," : ""
                let message = escaped("\(finding.target): \(finding.reason)", isProperty: false)
                lines.append("::error \(position)title=Broken link::\(message)")
            }
        }
        let stop = stoppedBy.map { " Stopped by \($0): there may be more." } ?? ""
        lines.append("::notice title=linkcheck::\(escaped(report.summary + stop, isProperty: false))")
        return lines.joined(separator: "\n")
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
