// Targets: the limits of a row.

import Testing

@testable import benchmarks

struct TargetTests {
    private static func states(_ finding: Finding, _ target: Target) -> [Verdict.State] {
        target.verdicts(of: finding, beside: [finding]).map(\.state)
    }

    @Test func `a ratio is relative to the side that the target names`() {
        let target = Target(row: "row", ratio: .init(limit: 1.5, side: .dispatch))
        let finding = Finding.made([(.futures, [10]), (.callback, [1]), (.dispatch, [8])])
        #expect(Self.states(finding, target) == [.met])
        let slow = Finding.made([(.futures, [16]), (.callback, [100]), (.dispatch, [8])])
        #expect(Self.states(slow, target) == [.missed])
    }

    @Test func `held bytes and leaked bytes have separate verdicts`() {
        let target = Target(row: "row", held: 1 << 20, left: 1024)
        let finding = Finding.made([(.futures, [1])], held: 2 << 20, left: 1000)
        let verdicts = target.verdicts(of: finding, beside: [])
        #expect(verdicts.map(\.aspect) == [.held, .left])
        #expect(verdicts.map(\.state) == [.missed, .met])
        #expect(verdicts[0].text == "2.0 MiB held on the way, not 1.0 MiB")
    }

    @Test func `a row is flat if it takes the same time per operation as a shorter row`() {
        let target = Target(row: "long", asFlatAs: "short")
        let short = Finding.made([(.futures, [10, 12])], named: "short")
        let flat = Finding.made([(.futures, [12, 14])], named: "long")
        let steep = Finding.made([(.futures, [100, 120])], named: "long")
        #expect(target.verdicts(of: flat, beside: [short, flat]).map(\.state) == [.met])
        #expect(target.verdicts(of: steep, beside: [short, steep]).map(\.state) == [.missed])
        #expect(target.verdicts(of: steep, beside: [steep]).isEmpty)
    }
}

struct TargetsTests {
    private let rows = chapters.flatMap(\.rows)

    @Test func `every target has a row with the side that it names`() {
        for target in Targets.all {
            let row = rows.first { $0.name == target.row }
            #expect(row != nil, "\(target.row)")
            guard let row, let ratio = target.ratio else { continue }
            #expect(row.contestants.contains { $0.side == ratio.side }, "\(target.row)")
        }
        #expect(Set(Targets.all.map(\.row)).count == Targets.all.count)
    }

    @Test func `a row that must be as flat as another one is measured in the same rounds`() throws {
        for target in Targets.all {
            guard let short = target.asFlatAs else { continue }
            let group = try #require(chapters.flatMap(\.groups).first { $0.contains { $0.name == target.row } })
            #expect(group.contains { $0.name == short }, "\(target.row)")
        }
    }

    @Test func `row names are unique, and Futures is the first contestant`() {
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(rows.allSatisfy { $0.contestants.first?.side == .futures })
    }
}
