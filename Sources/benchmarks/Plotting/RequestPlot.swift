// RequestPlot: what a whole request of a server takes, beside the same by other means.

/// What a whole request of a server takes, beside the same by other means: a group of bars for each of time,
/// allocations and memory.
enum RequestPlot {
    private struct Group {
        let title: String
        let bars: [(side: Side, value: Double, text: String)]
    }

    /// Returns a drawing of the rows of requests, or nil if there are none.
    static func drawing(_ chapters: [MeasuredChapter]) -> SVG? {
        let findings = chapters.flatMap(\.outcomes).map(\.finding).filter { $0.row.name.hasPrefix("whole request") }
        let groups = findings.flatMap(groups).filter { $0.bars.count > 1 }
        guard !groups.isEmpty else { return nil }
        let height = 60 + groups.reduce(0) { $0 + 34 + Double($1.bars.count) * 20 }
        var svg = SVG(width: 900, height: height)
        svg.text("A whole request of a server, beside the same by other means", at: (20, 28), size: 17, isBold: true)
        var y = 62.0
        for group in groups {
            svg.text(group.title, at: (20, y), isBold: true)
            y += 10
            let most = group.bars.map(\.value).max() ?? 1
            for bar in group.bars {
                let color = colors.first { $0.side == bar.side }?.color ?? SVG.pale
                svg.text(names[bar.side] ?? bar.side.name, at: (210, y + 12), .end)
                svg.bar((220, y), width: max(1, 520 * bar.value / most), height: 15, color)
                svg.text(bar.text, at: (228 + 520 * bar.value / most, y + 12))
                y += 20
            }
            y += 24
        }
        return svg
    }

    private static func groups(_ finding: Finding) -> [Group] {
        let isOnTheClock = finding.row.name.hasSuffix("on the clock")
        let load = finding.row.name.contains("at once") ? "20,000 at once" : "1,000 in flight"
        let time = isOnTheClock ? "Time on the clock" : "Processor time"
        var groups = [
            Group(
                title: "\(time) of a request, \(load)",
                bars: bars(finding) { ($0.nanoseconds.median, "\(($0.nanoseconds.median / 1000).decimals(1)) µs") })
        ]
        guard !isOnTheClock else { return groups }
        groups.append(
            Group(
                title: "Allocations of a request, \(load)",
                bars: bars(finding) { result in result.mallocs.map { ($0, $0.decimals(1)) } }))
        groups.append(
            Group(
                title: "Memory at its peak, \(load)",
                bars: bars(finding) { result in
                    result.held.map { (Double($0), "\((Double($0) / 1_048_576).decimals(1)) MiB") }
                }))
        return groups
    }

    private static func bars(
        _ finding: Finding, _ value: (Finding.Result) -> (Double, String)?
    ) -> [(Side, Double, String)] {
        finding.results.compactMap { result in value(result).map { (result.side, $0.0, $0.1) } }
    }

    private static let colors: [(side: Side, color: String)] = [
        (.futures, SVG.colors[0]), (.dispatch, SVG.colors[2]), (.concurrency, SVG.colors[3]),
    ]

    private static let names: [Side: String] = [
        .futures: "Futures", .dispatch: "by hand on DispatchQueues", .concurrency: "async functions, actors",
    ]
}
