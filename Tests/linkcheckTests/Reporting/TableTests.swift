// Tables: aligned columns.

import Testing

@testable import linkcheck

struct TableTests {
    @Test func `control characters are not written to the terminal`() {
        var table = Table(header: ["A"])
        table.rows = [["a\u{1B}[31m\nb\u{202E}"]]
        #expect(table.description.hasSuffix("  a\u{FFFD}[31m\u{FFFD}b\u{FFFD}"))
    }
}
