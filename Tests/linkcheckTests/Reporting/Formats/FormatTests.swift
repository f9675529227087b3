// Formats of reports, for people and for other programs.

import Foundation
import Testing

@testable import linkcheck

struct FormatTests {
    private let report = Report(
        findings: [
            Finding(
                target: "/a?b&c\u{1}", reason: "404 \"No\"\n<x>",
                places: [Place(page: "d,e:f.md", line: 3), Place.commandLine])
        ], pages: 1, links: 2)

    @Test func `JSON has all of the report`() throws {
        let text = try JSONReport.text(of: report, stoppedBy: "SIGTERM")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["pages"] as? Int == 1)
        #expect(object["stoppedBy"] as? String == "SIGTERM")
        let broken = try #require((object["broken"] as? [[String: Any]])?.first)
        #expect(broken["reason"] as? String == "404 \"No\"\n<x>")
        #expect((broken["places"] as? [[String: Any]])?.map { $0["line"] as? Int } == [0, 3])
    }

    @Test func `JUnit has a failure for each broken link`() {
        let text = JUnitReport.text(of: report, stoppedBy: nil)
        #expect(text.contains("<testcase classname=\"links\" name=\"/a?b&amp;c\u{FFFD}\">"))
        #expect(text.contains("<failure message=\"404 &quot;No&quot;\n&lt;x&gt;\">command line\nd,e:f.md:3</failure>"))
        #expect(JUnitReport.text(of: Report(), stoppedBy: nil).contains("tests=\"1\" failures=\"0\""))
    }

    @Test func `GitHub has an annotation for each place`() {
        let lines = GitHubReport.text(of: report, stoppedBy: nil).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "::error file=d%2Ce%3Af.md,line=3,title=Broken link::/a?b&c\u{1}: 404 \"No\"%0A<x>")
        #expect(lines[0].hasPrefix("::error title=Broken link::/a?b"))
    }
}
