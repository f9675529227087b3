// SVG: a drawing in SVG format.

/// A drawing in SVG format.
struct SVG {
    enum Anchor: String { case start, middle, end }

    static let ink = "#222222"
    static let pale = "#777777"
    static let grid = "#dddddd"
    /// Colors that remain distinguishable with color blindness (from the palette of Okabe and Ito), and a few more.
    static let colors = [
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31", "#6a3d9a", "#999999",
    ]

    let width: Double
    let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func line(
        _ from: (Double, Double), _ to: (Double, Double), _ color: String, width: Double = 1, dashes: String? = nil
    ) {
        let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements.append(
            "<line x1=\"\(Self.n(from.0))\" y1=\"\(Self.n(from.1))\" x2=\"\(Self.n(to.0))\" y2=\"\(Self.n(to.1))\" "
                + "stroke=\"\(color)\" stroke-width=\"\(Self.n(width))\"\(dash)/>")
    }

    mutating func path(_ points: [(Double, Double)], _ color: String, dashes: String? = nil) {
        let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        let text = points.map { "\(Self.n($0.0)),\(Self.n($0.1))" }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(text)\" fill=\"none\" stroke=\"\(color)\" "
                + "stroke-width=\"2\"\(dash)/>")
    }

    mutating func dot(_ at: (Double, Double), _ color: String, isFilled: Bool = true) {
        elements.append(
            "<circle cx=\"\(Self.n(at.0))\" cy=\"\(Self.n(at.1))\" r=\"4\" fill=\"\(isFilled ? color : "#ffffff")\" "
                + "stroke=\"\(color)\" stroke-width=\"1.6\"/>")
    }

    /// A bar whose upper left corner is at `at`.
    mutating func bar(_ at: (Double, Double), width: Double, height: Double, _ color: String) {
        elements.append(
            "<rect x=\"\(Self.n(at.0))\" y=\"\(Self.n(at.1))\" width=\"\(Self.n(width))\" "
                + "height=\"\(Self.n(height))\" fill=\"\(color)\"/>")
    }

    mutating func text(
        _ text: String, at: (Double, Double), _ anchor: Anchor = .start, size: Double = 13, color: String = ink,
        isBold: Bool = false, isUpright: Bool = false
    ) {
        let turn = isUpright ? " transform=\"rotate(-90 \(Self.n(at.0)) \(Self.n(at.1)))\"" : ""
        let weight = isBold ? " font-weight=\"bold\"" : ""
        elements.append(
            "<text x=\"\(Self.n(at.0))\" y=\"\(Self.n(at.1))\" text-anchor=\"\(anchor.rawValue)\" "
                + "font-size=\"\(Self.n(size))\" fill=\"\(color)\"\(weight)\(turn)>\(Self.escaped(text))</text>")
    }

    /// The SVG document. Its background is opaque, so that it is readable on pages of any color, and dark where the
    /// reader prefers that.
    var document: String {
        let size = "width=\"\(Self.n(width))\" height=\"\(Self.n(height))\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(Self.n(width)) \(Self.n(height))" \
            font-family="Helvetica, Arial, sans-serif">
            <style>@media (prefers-color-scheme: dark) {
            [fill="#ffffff"] { fill: #1d2027 } [fill="\(Self.ink)"] { fill: #d6dae2 } [fill="\(Self.pale)"] { fill: #99a1ae }
            [stroke="\(Self.ink)"] { stroke: #d6dae2 } [stroke="\(Self.grid)"] { stroke: #3a404b } [fill="#000000"] { fill: #d6dae2 }
            [stroke="#000000"] { stroke: #d6dae2 } [fill="#0072b2"] { fill: #3d9bd6 } [stroke="#0072b2"] { stroke: #3d9bd6 }
            }</style>
            <rect \(size) fill="#ffffff"/>
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    /// Returns the number with at most one decimal: a tenth of a pixel is precise enough.
    private static func n(_ number: Double) -> String {
        let text = number.decimals(1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
    }
}
