// Markdown reports: the tables of Documentation/Maintainers/Measurements.md.

import Testing

@testable import benchmarks

struct MarkdownReportTests {
    private static let finding = Finding.made(
        [(.futures, [20, 20]), (.callback, [10, 10])], named: "a row", mallocs: 3)

    @Test func `a missed target is bold, and a target in doubt has a question mark`() {
        let target = Target(row: "a row", mallocs: 2, ratio: .init(limit: 2.5, side: .callback))
        let table = MarkdownReport.table([.made(Self.finding, target)])
        #expect(table.contains("| 2.00 ±0 % CB (≤ 2.50) | **3.00** (≤ 2.0) |"))
        let noisy = Finding.made([(.futures, [20, 30]), (.callback, [10, 10])], named: "a row")
        #expect(MarkdownReport.table([.made(noisy, target)]).contains("| 2.50 ±10 % CB ? (≤ 2.50) |"))
    }

    @Test func `a document keeps the text around the markers`() {
        let document = "# Title\n<!-- benchmarks -->\nold\nolder\n<!-- /benchmarks -->\nend\n"
        let new = MarkdownReport.document(document, with: "new")
        #expect(new == "# Title\n<!-- benchmarks -->\nnew\n<!-- /benchmarks -->\nend\n")
        #expect(MarkdownReport.document(nil, with: "new") == "new\n")
    }
}
