// Reports for the user.

import Testing

@testable import linkcheck

struct ReportTests {
    private func finding(_ target: String, _ reason: String, _ page: String, _ line: Int) -> Finding {
        Finding(target: target, reason: reason, places: [Place(page: page, line: line)])
    }

    @Test func `the absence of findings is reported`() {
        let report = Report(pages: 1, links: 2, ignored: 1, redirects: 1)
        #expect(
            report.description == """
                Read 1 page with 2 links, of which 1 was ignored; followed 1 redirect, retried 0 times.
                No broken links.
                """)
    }

    @Test func `findings are a sorted table`() {
        let findings = [
            finding("/b", "410 Gone", "/x", 10), finding("/a", "404 Not Found", "/x", 9),
            finding("/a", "404 Not Found", "/x", 10), finding("/a", "404 Not Found", "/", 1),
            finding("/a", "404 Not Found", "/x", 9),
        ]
        let table = """
            2 broken links:

              LINK  WHY            WHERE
              /a    404 Not Found  /:1
                                   /x:9
                                   /x:10
              /b    410 Gone       /x:10
            """
        #expect(Report(findings: findings).description.hasSuffix(table))
        #expect(Report(findings: findings.reversed()).description == Report(findings: findings).description)
    }

    @Test func `control characters are not written to the terminal`() {
        var table = Table(header: ["A"])
        table.rows = [["a\u{1B}[31m\nb\u{202E}"]]
        #expect(table.description.hasSuffix("  a\u{FFFD}[31m\u{FFFD}b\u{FFFD}"))
    }
}
