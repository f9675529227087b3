// Boxes: boxes of text with arrows between them.

/// A drawing of boxes and arrows.
struct Boxes {
    struct Box {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    /// Where an arrow leaves a box, or meets one: a side, and the part of that side, from 0 (left or top) to 1.
    enum Side {
        case left(Double = 0.5), right(Double = 0.5), top(Double = 0.5), bottom(Double = 0.5)
    }

    private var svg: SVG

    init(title: String, width: Double, height: Double) {
        svg = SVG(width: width, height: height)
        svg.text(title, at: (20, 28), size: 17, isBold: true)
    }

    /// Draws a box with lines of text, the first of them bold, and returns its place.
    @discardableResult
    mutating func box(
        _ lines: [String], at place: (x: Double, y: Double), width: Double, color: String = SVG.ink,
        weight: Double = 1.2
    ) -> Box {
        let height = 16 + 17 * Double(lines.count)
        let box = Box(x: place.x, y: place.y, width: width, height: height)
        let corners = [
            (box.x, box.y), (box.x + width, box.y), (box.x + width, box.y + height), (box.x, box.y + height),
            (box.x, box.y),
        ]
        for (from, to) in zip(corners, corners.dropFirst()) { svg.line(from, to, color, width: weight) }
        for (index, line) in lines.enumerated() {
            let y = box.y + 21 + 17 * Double(index)
            let isFirst = index == 0
            svg.text(
                line, at: (box.x + width / 2, y), .middle, size: isFirst ? 13 : 11.5, isBold: isFirst && lines.count > 1
            )
        }
        return box
    }

    /// Draws an arrow by way of some points, with a text at the middle of its longest part.
    mutating func arrow(
        from: (Box, Side), to: (Box, Side), by points: [(Double, Double)] = [], _ text: [String] = [],
        color: String = SVG.ink, dashes: String? = nil
    ) {
        let all = [Self.point(from)] + points + [Self.point(to)]
        for (from, to) in zip(all, all.dropFirst()) { svg.line(from, to, color, width: 1.4, dashes: dashes) }
        head(from: all[all.count - 2], to: all[all.count - 1], color)
        let parts = zip(all, all.dropFirst())
        guard let (a, b) = parts.max(by: { Self.length($0) < Self.length($1) }), !text.isEmpty else { return }
        let middle = ((a.0 + b.0) / 2, (a.1 + b.1) / 2)
        let isUpright = abs(b.0 - a.0) < abs(b.1 - a.1)
        for (index, line) in text.enumerated() {
            let y = isUpright ? middle.1 + 4 + 14 * Double(index) : middle.1 - 7 - 14 * Double(text.count - 1 - index)
            svg.text(line, at: (isUpright ? middle.0 + 8 : middle.0, y), isUpright ? .start : .middle, size: 11.5)
        }
    }

    /// Returns the drawing, with a caption below it.
    func drawing(caption: String? = nil) -> SVG {
        var svg = svg
        if let caption { svg.text(caption, at: (20, svg.height - 14), size: 12.5) }
        return svg
    }

    private mutating func head(from: (Double, Double), to: (Double, Double), _ color: String) {
        let length = Self.length((from, to))
        let (x, y) = ((to.0 - from.0) / length, (to.1 - from.1) / length)
        for side in [-1.0, 1.0] {
            svg.line((to.0 - 8 * x - 4 * side * y, to.1 - 8 * y + 4 * side * x), to, color, width: 1.4)
        }
    }

    private static func length(_ part: ((Double, Double), (Double, Double))) -> Double {
        let (x, y) = (part.1.0 - part.0.0, part.1.1 - part.0.1)
        return (x * x + y * y).squareRoot()
    }

    private static func point(_ end: (box: Box, side: Side)) -> (Double, Double) {
        let box = end.box
        return switch end.side {
        case .left(let part): (box.x, box.y + box.height * part)
        case .right(let part): (box.x + box.width, box.y + box.height * part)
        case .top(let part): (box.x + box.width * part, box.y)
        case .bottom(let part): (box.x + box.width * part, box.y + box.height)
        }
    }
}
