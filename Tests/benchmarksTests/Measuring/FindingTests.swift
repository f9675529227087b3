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

    @Test func `a finding has the fewest mallocs, the most held bytes and the median of leaked bytes`() {
        let result = Finding.Result(
            side: .futures, turns: [3.5, 3, 4].map { Turn(nanoseconds: 1, mallocs: $0) },
            memory: [Memory(held: 10, left: 900), Memory(held: 70, left: 0), Memory(held: 20, left: -5)])
        #expect(result.mallocs == 3)
        #expect(result.held == 70)
        #expect(result.left == 0)
    }
}
