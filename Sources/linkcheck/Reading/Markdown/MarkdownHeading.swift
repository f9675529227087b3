// MarkdownHeading: what readers see of a heading.

/// The visible text of a heading, and the anchor that it names itself.
struct MarkdownHeading {
    let text: String
    /// The name in `## Heading {#name}`, or nil.
    let anchor: String?

    /// Creates the text of a range, without what its inlines hide.
    init(_ bytes: Bytes, in range: Range<Int>, _ inlines: MarkdownInlines) {
        var depths = [Int](repeating: 0, count: range.count + 1)
        for hidden in inlines.hidden.map({ $0.clamped(to: range) }) where !hidden.isEmpty {
            depths[hidden.lowerBound - range.lowerBound] += 1
            depths[hidden.upperBound - range.lowerBound] -= 1
        }
        var visible = Bytes()
        var depth = 0
        for index in range {
            depth += depths[index - range.lowerBound]
            guard depth == 0, bytes[index] != "\r" else { continue }
            // A heading over several lines is read as one, without the indentation of its lines.
            let isLineStart = visible.last == "\n" && bytes[index].isSpace
            if !isLineStart { visible.append(bytes[index]) }
            if inlines.plainAmpersands.contains(index) { visible += Bytes("amp;".utf8) }
        }
        for index in visible.indices where visible[index] == "\n" { visible[index] = " " }
        anchor = Self.anchor(in: visible)
        text = visible.decodingEntities(in: visible.indices, as: .strict).trimmed
    }

    private static func anchor(in heading: Bytes) -> String? {
        let end = heading.lastIndex { !$0.isSpace }
        guard let end, heading[end] == "}", let start = heading[..<end].lastIndex(of: "{"),
            start + 1 < end, heading[start + 1] == "#"
        else { return nil }
        let name = heading.text(start + 2..<heading.skip(from: start + 2, to: end) { !$0.isSpace && $0 != "." })
        return name.isEmpty ? nil : name
    }
}
