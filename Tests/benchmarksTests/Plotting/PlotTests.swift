// Plots: well-formed drawings with the expected content.

import Foundation
import Testing

@testable import benchmarks

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct PlotTests {
    private static func isWellFormed(_ svg: SVG) -> Bool {
        XMLParser(data: Data(svg.document.utf8)).parse()
    }

    private static let series = [1000, 10_000].map { count in
        Outcome.made(
            .made([(.futures, [Double(count) / 10])], named: "\(count)", series: "queue <waiting>", operations: count))
    }

    @Test func `growth has a line for each series`() throws {
        let chapter = MeasuredChapter(title: "Many", outcomes: Self.series)
        let svg = try #require(GrowthPlot.drawing([chapter]))
        #expect(Self.isWellFormed(svg))
        #expect(svg.document.contains("queue &lt;waiting&gt;"))
        #expect(svg.document.components(separatedBy: "<polyline").count == 2)
        #expect(svg.document.components(separatedBy: "<circle").count == 3)
    }

    @Test func `without a series nothing is drawn`() {
        let chapter = MeasuredChapter(title: "Many", outcomes: [Self.series[0]])
        #expect(GrowthPlot.drawing([chapter]) == nil)
        #expect(ComparisonPlot.drawing([chapter]) == nil)
    }

    @Test func `a comparison has the rows with a target ratio`() throws {
        let target = Target(row: "a & b", ratio: .init(limit: 1.5, side: .callback))
        let slow = Outcome.made(
            .made([(.futures, [200]), (.callback, [100]), (.concurrency, [50])], named: "a & b"), target)
        let other = Outcome.made(.made([(.futures, [200]), (.callback, [100])], named: "no target"))
        let svg = try #require(ComparisonPlot.drawing([MeasuredChapter(title: "Steps", outcomes: [slow, other])]))
        #expect(Self.isWellFormed(svg))
        #expect(svg.document.contains("a &amp; b"))
        #expect(svg.document.contains("2.00 x CB, may be 1.50 missed"))
        #expect(!svg.document.contains("no target"))
    }

    @Test func `a request has bars for the time, the allocations and the memory of each side`() throws {
        let row = Outcome.made(
            .made(
                [(.futures, [20_000]), (.dispatch, [13_400])], named: "whole request, 1 k in flight", mallocs: 67,
                held: 1_048_576))
        let svg = try #require(RequestPlot.drawing([MeasuredChapter(title: "Requests", outcomes: [row])]))
        #expect(Self.isWellFormed(svg))
        #expect(svg.document.components(separatedBy: "<rect x=").count == 7)
        for text in ["20.0 µs", "13.4 µs", "67.0", "1.0 MiB", "Futures"] { #expect(svg.document.contains(text)) }
        #expect(RequestPlot.drawing([MeasuredChapter(title: "Many", outcomes: Self.series)]) == nil)
    }

    @Test func `labels keep their distance and their order`() {
        let spread = GrowthPlot.spread([50, 48, 10, 99], by: 10, in: 0...100)
        #expect(spread == [58, 48, 10, 99])
        #expect(GrowthPlot.spread([100, 100, 95], by: 10, in: 0...100) == [90, 100, 80])
        #expect(GrowthPlot.spread([], by: 10, in: 0...100) == [])
    }
}
