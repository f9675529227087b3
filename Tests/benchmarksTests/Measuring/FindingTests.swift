// Findings: the summary of many rounds.

import Testing

@testable import benchmarks

struct FindingTests {
    @Test func `a ratio is computed round by round`() {
        // In the second round, another process had the processor.
        let finding = Finding.made([(.futures, [20, 200, 22]), (.callback, [10, 100, 11])])
        #expect(finding.ratio(to: .callback)?.sorted == [2, 2, 2])
        #expect(finding.ratio(to: .dispatch) == nil)
        #expect(finding.ratio(to: .futures) == nil)
    }
}
