// Samples: the median, the spread, and ratios.

import Testing

@testable import benchmarks

struct SamplesTests {
    @Test func `the median is the middle sample, or half-way between the middle two`() {
        #expect([[3, 1, 1000], [7], [4, 1, 2, 100]].map { Samples($0).median } == [3, 7, 3])
    }

    @Test func `half of the samples are between the quartiles, which a few disturbed rounds do not change`() {
        let samples = Samples([1, 2, 3, 4, 5])
        #expect(samples.quartiles == 2...4)
        #expect(samples.spread == 1.0 / 3)
        let calm = Array(repeating: 10.0, count: 80)
        #expect(Samples(calm + Array(repeating: 500, count: 15)).spread == 0)
        // Differences may be below zero.
        #expect(Samples([-3, -2, -1]).spread == 0.25)
        #expect(Samples([-1, 0, 1]).spread == 0)
    }

    @Test func `a ratio is computed round by round`() {
        // In the second round, another process had the processor.
        let finding = Finding.made([(.futures, [20, 200, 22]), (.callback, [10, 100, 11])])
        #expect(finding.ratio(to: .callback)?.sorted == [2, 2, 2])
        #expect(finding.ratio(to: .dispatch) == nil && finding.ratio(to: .futures) == nil)
    }
}
