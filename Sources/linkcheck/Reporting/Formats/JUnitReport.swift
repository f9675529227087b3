// JUnitReport: the report as a test suite, for services that show those. Each broken link is a test that fails.

enum JUnitReport {
    static func text(of report: Report, stoppedBy: String?) -> String {
        let findings = report.findings
        let count = max(1, findings.count)
        let failures = findings.count
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="\(count)" failures="\(failures)">
              <testsuite name="linkcheck" tests="\(count)" failures="\(failures)">

            """
        for finding in findings {
            let places = finding.places.map(\.description).joined(separator: "\n")
            text += """
                    <testcase classname="links" name="\(escaped(finding.target))">
                      <failure message="\(escaped(finding.reason))">\(escaped(places))</failure>
                    </testcase>

                """
        }
        // Some services reject a suite without tests.
        if findings.isEmpty { text += "    <testcase classname=\"links\" name=\"all links\"/>\n" }
        if let stoppedBy { text += "    <system-err>Stopped by \(escaped(stoppedBy)).</system-err>\n" }
        return text + "  </testsuite>\n</testsuites>"
    }

    /// Returns the text with the characters replaced that XML does not allow.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
