// Timelines: draws scenes.

/// Draws the tracks of scenes, two scenes beside each other.
struct Timelines {
    private static let (second, row, label) = (46.0, 24.0, 104.0)
    private static let width = label + 6.5 * second + 46
    private static let (waiting, running, good, bad) = ("#b8c4d0", "#0072b2", "#009e73", "#d55e00")

    private var svg: SVG

    static func drawing(title: String, _ scenes: [Scene]) -> SVG {
        let panels = scenes.map { scene in
            let stage = Stage()
            scene.act(stage)
            do { try stage.time.runToEnd() } catch { fatalError("\(scene.caption): \(error)") }
            return (scene.caption, stage.tracks)
        }
        let rows = stride(from: 0, to: panels.count, by: 2).map { Array(panels[$0..<min($0 + 2, panels.count)]) }
        let heights = rows.map { 62 + row * Double($0.map(\.1.count).max() ?? 0) }
        var drawing = Timelines(svg: SVG(width: width * 2 + 40, height: heights.reduce(76, +)))
        drawing.svg.text(title, at: (20, 28), size: 17, isBold: true)
        drawing.legend(waits: panels.contains { $0.1.contains { $0.spans.contains { $0.kind == .waiting } } })
        var y = 66.0
        for (row, height) in zip(rows, heights) {
            for (column, panel) in row.enumerated() {
                drawing.panel(panel.0, panel.1, at: (20 + Double(column) * width, y))
            }
            y += height
        }
        return drawing.svg
    }

    private mutating func legend(waits: Bool) {
        var x = 20.0
        func width(_ text: String) -> Double { Double(text.count) * 6.4 + 22 }
        let bars =
            (waits ? [("waits", Self.waiting)] : []) + [("runs", Self.running), ("the result is pending", SVG.pale)]
        for (text, color) in bars {
            if waits && color == SVG.pale { continue }
            svg.bar((x, 43), width: 16, height: 8, color)
            svg.text(text, at: (x + 22, 51), size: 12)
            x += 22 + width(text)
        }
        let ends = [("succeeds", Self.good, true), ("fails", Self.bad, true), ("is cancelled", SVG.pale, false)]
        for (text, color, isFilled) in ends {
            svg.dot((x + 4, 47), color, isFilled: isFilled)
            svg.text(text, at: (x + 16, 51), size: 12)
            x += 16 + width(text)
        }
    }

    private mutating func panel(_ caption: String, _ tracks: [Track], at corner: (x: Double, y: Double)) {
        let (left, top) = (corner.x + Self.label, corner.y + 26)
        let bottom = top + Self.row * Double(tracks.count)
        svg.text(caption, at: (corner.x, corner.y + 10), isBold: true)
        for number in 0...6 {
            let x = left + Double(number) * Self.second
            svg.line((x, top - 4), (x, bottom), SVG.grid)
            svg.text(number == 6 ? "6 s" : "\(number)", at: (x, bottom + 13), .middle, size: 10, color: SVG.pale)
        }
        for (index, track) in tracks.enumerated() {
            let y = top + Double(index) * Self.row + Self.row / 2
            svg.text(track.label, at: (left - 10, y + 4), .end, size: 12)
            for span in track.spans { draw(span, left, y) }
        }
    }

    private mutating func draw(_ span: Track.Span, _ left: Double, _ y: Double) {
        let (start, stop) = (left + span.start * Self.second, left + (span.stop ?? 6.5) * Self.second)
        let (color, height) =
            switch span.kind {
            case .waiting: (Self.waiting, 4.0)
            case .running: (Self.running, 12.0)
            case .result: (SVG.pale, 4.0)
            }
        if stop > start { svg.bar((start, y - height / 2), width: stop - start, height: height, color) }
        switch span.end {
        case .value(let value):
            svg.dot((stop, y), Self.good)
            svg.text(value, at: (stop + 9, y + 4), size: 12)
        case .failure:
            svg.dot((stop, y), Self.bad)
            svg.text("✕", at: (stop + 8, y + 5), size: 14, color: Self.bad, isBold: true)
        case .cancelled: svg.dot((stop, y), SVG.pale, isFilled: false)
        case nil: break
        }
    }
}
