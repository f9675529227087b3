// Logarithmic axes.

import Testing

@testable import benchmarks

struct LogScaleTests {
    @Test func `twice as much is the same distance everywhere`() {
        let scale = LogScale([1, 1000], from: 0, to: 300)
        #expect(abs(scale.position(1)) < 1e-9)
        #expect(abs(scale.position(10) - 100) < 1e-9)
        #expect(abs(scale.position(1000) - 300) < 1e-9)
    }

    @Test func `an axis starts and ends at a round number`() {
        #expect(LogScale([23, 480], from: 0, to: 1).domain == 20...500)
        #expect(LogScale([0.7, 51], from: 0, to: 1).domain == 0.5...100)
        #expect(LogScale([100, 1000], from: 0, to: 1).domain == 100...1000)
    }

    @Test func `a single number has an axis with two ends`() {
        let domain = LogScale([10], from: 0, to: 1).domain
        #expect(domain.lowerBound == 10)
        #expect(domain.upperBound > 10)
    }

    @Test func `lines are at 1, 2 and 5 of each decade`() {
        #expect(LogScale([20, 500], from: 0, to: 1).ticks == [20, 50, 100, 200, 500])
    }

    @Test func `an axis can run upwards`() {
        let scale = LogScale([1, 100], from: 200, to: 0)
        #expect(abs(scale.position(10) - 100) < 1e-9)
    }
}
