// MarkdownHeading: what readers see of a heading.

/// The visible text of a heading, and the anchor that it names itself.
struct MarkdownHeading {
    let offset: Int
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
        offset = range.lowerBound
        anchor = Self.anchor(in: visible)
        text = visible.decodingEntities(in: visible.indices, as: .strict).trimmed
    }

    /// Creates the heading that a tag such as `<h2>` starts, or nil if it starts none. Its text ends at the next tag of
    /// a heading, and has all its spaces.
    init?(_ tags: HTMLTags) {
        let bytes = tags.bytes
        guard Self.isTag(bytes, tags.tag.name.lowerBound) else { return nil }
        offset = tags.tag.range.lowerBound
        anchor = nil
        var visible = Bytes()
        var index = tags.tag.range.upperBound
        while index < bytes.count {
            if bytes[index] != "<" {
                visible.append(bytes[index])
                index += 1
            } else if Self.isTag(bytes, index + (bytes.has("</", at: index) ? 2 : 1)) {
                break
            } else {
                index = bytes.skip(from: index) { $0 != ">" } + 1
            }
        }
        text = visible.decodingEntities(in: visible.indices, as: .html)
    }

    /// Returns whether `h1` to `h6` stand at an offset.
    private static func isTag(_ bytes: Bytes, _ start: Int) -> Bool {
        let name = start..<bytes.skip(from: start) { $0.isLetter || $0.isDigit || $0 == "-" }
        return name.count == 2 && bytes.has("h", at: start) && (UInt8("1")..."6").contains(bytes[start + 1])
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
