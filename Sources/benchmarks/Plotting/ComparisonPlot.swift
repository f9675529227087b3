// ComparisonPlot: a plot of the times of Futures beside those of the alternatives.

/// A plot of the times of Futures beside those of the alternatives, with the limits of the targets.
enum ComparisonPlot {
    /// Returns a drawing of all rows that have a target for a ratio, or nil if there are none.
    static func drawing(_ chapters: [MeasuredChapter]) -> SVG? {
        let chapters = chapters.map { chapter in
            MeasuredChapter(title: chapter.title, outcomes: chapter.outcomes.filter { $0.target?.ratio != nil })
        }.filter { !$0.outcomes.isEmpty }
        let outcomes = chapters.flatMap(\.outcomes)
        guard !outcomes.isEmpty else { return nil }
        let height = 96 + Double(outcomes.count) * 24 + Double(chapters.count) * 30
        var svg = SVG(width: 1150, height: height + 40)
        let times = outcomes.flatMap { shown($0).map(\.nanoseconds.median) }
        let x = LogScale(times, from: 420, to: 890)
        svg.text("Time of one operation, beside the same by other means", at: (20, 28), size: 17, isBold: true)
        legend(&svg)
        for tick in x.ticks {
            svg.line((x.position(tick), 80), (x.position(tick), height), SVG.grid)
            if Int(tick).description.hasPrefix("1") {
                svg.text(tick.asNanoseconds.replacing(".0"), at: (x.position(tick), height + 18), .middle)
            }
        }
        svg.text("nanoseconds, logarithmic", at: ((x.start + x.end) / 2, height + 36), .middle)
        var y = 96.0
        for chapter in chapters {
            svg.text(chapter.title, at: (20, y + 4.5), isBold: true)
            y += 24
            for outcome in chapter.outcomes {
                row(outcome, at: y, x, &svg)
                y += 24
            }
            y += 6
        }
        return svg
    }

    private static func row(_ outcome: Outcome, at y: Double, _ x: LogScale, _ svg: inout SVG) {
        let finding = outcome.finding
        guard let ours = finding.ours, let target = outcome.target?.ratio, let ratio = finding.ratio(to: target.side)
        else { return }
        svg.text(finding.row.name, at: (406, y + 4.5), .end)
        let positions = shown(outcome).map { x.position($0.nanoseconds.median) }
        svg.line((positions.min()!, y), (positions.max()!, y), "#aaaaaa")
        // The time that the target allows, by the median of the ratios: that is not exactly the ratio of the medians.
        let allowed = ours.nanoseconds.median / ratio.median * target.limit
        let limit = min(max(x.position(allowed), x.start), x.end)
        svg.line((limit, y - 8), (limit, y + 8), SVG.ink, width: 2)
        for result in shown(outcome) where result.side != .futures {
            svg.dot((x.position(result.nanoseconds.median), y), color(result.side), isFilled: false)
        }
        svg.dot((x.position(ours.nanoseconds.median), y), SVG.colors[0])
        let state = outcome.verdicts.first { $0.aspect == .ratio }?.state
        let text = "\(ratio.median.decimals(2)) x \(target.side.name), may be \(target.limit.decimals(2))"
        let mark = state == .missed ? " missed" : state == .doubtful ? " ?" : ""
        svg.text(text + mark, at: (908, y + 4.5), .start, color: state == .missed ? SVG.colors[1] : SVG.ink)
    }

    /// Returns the results of the sides in the legend, and of the side that the target refers to. The tables have those
    /// of the others, too.
    private static func shown(_ outcome: Outcome) -> [Finding.Result] {
        outcome.finding.results.filter { result in
            result.side == outcome.target?.ratio?.side || sides.contains { $0.side == result.side }
        }
    }

    private static let sides: [(side: Side, text: String, color: String)] = [
        (.futures, "Futures", SVG.colors[0]), (.callback, "CB: a mutex and a closure", SVG.colors[1]),
        (.dispatch, "RD: a raw DispatchQueue", SVG.colors[2]),
        (.concurrency, "SC: async functions, actors", SVG.colors[3]),
    ]

    private static func legend(_ svg: inout SVG) {
        var x = 20.0
        for (side, text, color) in sides {
            svg.dot((x + 5, 50), color, isFilled: side == .futures)
            svg.text(text, at: (x + 16, 54.5))
            x += 36 + Double(text.count) * 7
        }
        svg.dot((x + 5, 50), SVG.pale, isFilled: false)
        svg.text("as named on the right", at: (x + 16, 54.5))
        x += 180
        svg.line((x + 5, 42), (x + 5, 58), SVG.ink, width: 2)
        svg.text("the target: Futures left of it", at: (x + 14, 54.5))
    }

    private static func color(_ side: Side) -> String { sides.first { $0.side == side }?.color ?? SVG.pale }
}

extension String {
    fileprivate func replacing(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
