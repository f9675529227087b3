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

    @Test func `a price is a difference, round by round`() throws {
        let price = Price(rule: "abandonment", without: .callback, with: .callback(with: .abandon))
        let finding = Finding.made(
            [(.futures, [1, 1, 1]), (.callback, [70, 700, 71]), (.callback(with: .abandon), [100, 731, 100])],
            price: price, mallocs: 2)
        let cost = try #require(finding.price)
        #expect(cost.nanoseconds.sorted == [29, 30, 31])
        #expect(cost.mallocs == 0)
        #expect(Finding.made([(.futures, [1])]).price == nil)
    }
}
