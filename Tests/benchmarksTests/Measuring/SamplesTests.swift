// Samples: the median and the spread.

import Testing

@testable import benchmarks

struct SamplesTests {
    @Test func `the median is the middle sample`() {
        #expect(Samples([3, 1, 1000]).median == 3)
        #expect(Samples([7]).median == 7)
    }

    @Test func `the median of an even number of samples is half-way between the middle two`() {
        #expect(Samples([4, 1, 2, 100]).median == 3)
    }

    @Test func `half of the samples are between the quartiles`() {
        let samples = Samples([1, 2, 3, 4, 5])
        #expect(samples.quartiles == 2...4)
        #expect(samples.spread == 1.0 / 3)
    }

    @Test func `a few disturbed rounds do not widen the spread`() {
        let calm = Array(repeating: 10.0, count: 80)
        #expect(Samples(calm + Array(repeating: 500, count: 15)).spread == 0)
    }

    @Test func `the spread of differences below zero is not negative`() {
        #expect(Samples([-3, -2, -1]).spread == 0.25)
        #expect(Samples([-1, 0, 1]).spread == 0)
    }
}
