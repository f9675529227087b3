// GrowthPlot: a plot of the time per operation against the number of operations.

/// A plot of the time per operation against the number of operations. A level line means constant time per operation.
enum GrowthPlot {
    private struct Line {
        let name: String
        let points: [(count: Double, nanoseconds: Samples)]
    }

    /// Returns the drawing, or nil if no series has at least two lengths.
    static func drawing(_ chapters: [MeasuredChapter]) -> SVG? {
        let lines = lines(chapters.flatMap(\.outcomes).map(\.finding))
        guard !lines.isEmpty else { return nil }
        var svg = SVG(width: 900, height: 520)
        let points = lines.flatMap(\.points)
        let x = LogScale(points.map(\.count), from: 80, to: 630)
        let y = LogScale(
            points.flatMap { [$0.nanoseconds.quartiles.lowerBound, $0.nanoseconds.quartiles.upperBound] }, from: 450,
            to: 60)
        svg.text("Time of one operation, against how many there are", at: (80, 28), size: 17, isBold: true)
        svg.text(
            "A level line is as fast at any length. Bars reach from quartile to quartile. Both axes are logarithmic.",
            at: (80, 47), color: SVG.pale)
        for tick in x.ticks where Int(tick).description.hasPrefix("1") {
            svg.line((x.position(tick), y.start), (x.position(tick), y.end), SVG.grid)
            svg.text(Int(tick).short, at: (x.position(tick), y.start + 20), .middle)
        }
        for tick in y.ticks {
            svg.line((x.start, y.position(tick)), (x.end, y.position(tick)), SVG.grid)
            svg.text(Int(tick).description, at: (x.start - 8, y.position(tick) + 4.5), .end)
        }
        svg.text("operations", at: ((x.start + x.end) / 2, y.start + 46), .middle)
        svg.text("nanoseconds per operation", at: (26, (y.start + y.end) / 2), .middle, isUpright: true)
        let labels = spread(lines.map { y.position($0.points.last!.nanoseconds.median) }, by: 19, in: y.end...y.start)
        for (index, line) in lines.enumerated() {
            let color = SVG.colors[index % SVG.colors.count]
            // The second line of a color is told from the first by dashes and hollow dots.
            let isFirst = index < SVG.colors.count
            let path = line.points.map { (x.position($0.count), y.position($0.nanoseconds.median)) }
            svg.path(path, color, dashes: isFirst ? nil : "7 3")
            for (point, place) in zip(line.points, path) {
                let (low, high) = (point.nanoseconds.quartiles.lowerBound, point.nanoseconds.quartiles.upperBound)
                svg.line((place.0, y.position(low)), (place.0, y.position(high)), color, width: 2)
                svg.dot(place, color, isFilled: isFirst)
            }
            svg.line((path.last!.0 + 5, path.last!.1), (x.end + 22, labels[index]), color, dashes: "2 2")
            svg.text(line.name, at: (x.end + 27, labels[index] + 4.5), color: color)
        }
        return svg
    }

    private static func lines(_ findings: [Finding]) -> [Line] {
        var names: [String] = []
        for case let name? in findings.map(\.row.series) where !names.contains(name) { names.append(name) }
        return names.map { name in
            let points = findings.filter { $0.row.series == name }.compactMap { finding in
                finding.ours.map { (Double(finding.row.operations), $0.nanoseconds) }
            }
            return Line(name: name, points: points)
        }.filter { $0.points.count > 1 }
    }

    /// Returns the positions, moved apart until neighbors are at least `distance` apart and none exceeds `range`'s
    /// upper bound. Crowded positions may be moved below its lower bound.
    static func spread(_ positions: [Double], by distance: Double, in range: ClosedRange<Double>) -> [Double] {
        let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        var spread = positions
        for (before, after) in zip(order, order.dropFirst()) {
            spread[after] = max(spread[after], spread[before] + distance)
        }
        // A last position beyond the upper bound is moved back, and moves the others with it.
        if let last = order.last { spread[last] = min(spread[last], range.upperBound) }
        for (after, before) in zip(order.reversed(), order.reversed().dropFirst()) {
            spread[before] = min(spread[before], spread[after] - distance)
        }
        return spread
    }
}
