// Tables: aligned columns.

import Testing

@testable import linkcheck

struct TableTests {
    @Test func `a very wide cell overflows its column instead of widening it`() {
        var table = Table(header: ["A", "B"])
        table.rows = [[String(repeating: "x", count: 70), "1"], ["y", "2"]]
        #expect(table.description.split(separator: "\n").last == "  y  2")
    }

    @Test func `control characters are not written to the terminal`() {
        var table = Table(header: ["A"])
        table.rows = [["a\u{1B}[31m\nb\u{202E}"]]
        #expect(table.description.hasSuffix("  a\u{FFFD}[31m\u{FFFD}b\u{FFFD}"))
    }

    @Test func `a very long cell is truncated in the middle`() {
        var table = Table(header: ["A"])
        table.rows = [[String(repeating: "x", count: 100_000)]]
        #expect(table.description.count < 400)
    }
}
