// StyleSheet: the addresses in CSS: `url(…)`, and the texts of `@import` rules.

enum StyleSheet {
    /// Returns the addresses in a range of a text, and their offsets.
    ///
    /// - Complexity: O(*n*) in the length of the range.
    static func links(in bytes: Bytes, _ range: Range<Int>) -> [(target: String, offset: Int)] {
        var links: [(target: String, offset: Int)] = []
        var index = range.lowerBound
        let end = range.upperBound
        var isImport = false
        while index < end {
            switch bytes[index] {
            case "/" where bytes.has("/*", at: index):
                index = bytes.firstIndex(of: "*/", in: Swift.min(index + 2, end)..<end).map { $0 + 2 } ?? end
            case "\"", "'":
                let text = string(in: bytes, from: index, to: end)
                if isImport { links.append((unescaped(bytes, text.range), text.range.lowerBound)) }
                isImport = false
                index = text.end
            case "@":
                isImport = bytes.has("@import", at: index)
                index += 1
            case "u", "U":
                let isWord = index > range.lowerBound && (bytes[index - 1].isWordPart || bytes[index - 1] == "-")
                guard !isWord, bytes.has("url(", at: index), index + 4 <= end else {
                    index += 1
                    continue
                }
                isImport = false
                let (target, after) = address(in: bytes, from: index + 4, to: end)
                index = after
                let text = unescaped(bytes, target)
                // A namespace is not an address to load.
                if !text.isEmpty { links.append((text, target.lowerBound)) }
            case ";", "{", "}":
                isImport = false
                index += 1
            default: index += 1
            }
        }
        return links
    }

    /// Returns the range of the address after `url(`, quoted or not, and the offset after it.
    private static func address(in bytes: Bytes, from start: Int, to end: Int) -> (Range<Int>, Int) {
        let first = bytes.skip(from: start, to: end) { $0.isSpace }
        guard first < end else { return (end..<end, end) }
        if bytes[first] == "\"" || bytes[first] == "'" { return string(in: bytes, from: first, to: end) }
        let last = bytes.skip(from: first, to: end) { $0 != ")" && !$0.isSpace && $0 != "\"" && $0 != "'" }
        return (first..<last, last)
    }

    /// Returns the range of the text in quotes that starts at `start`, and the offset after it. It ends with its line.
    private static func string(in bytes: Bytes, from start: Int, to end: Int) -> (range: Range<Int>, end: Int) {
        var index = start + 1
        while index < end, bytes[index] != bytes[start], bytes[index] != "\n" {
            index += bytes[index] == "\\" ? 2 : 1
        }
        let close = Swift.min(index, end)
        return (start + 1..<close, Swift.min(close + 1, end))
    }

    private static func unescaped(_ bytes: Bytes, _ range: Range<Int>) -> String {
        guard bytes[range].contains("\\") else { return bytes.text(range) }
        var text = Bytes()
        var isEscaped = false
        for byte in bytes[range] {
            if byte == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(byte)
                isEscaped = false
            }
        }
        return text.text(text.indices)
    }
}

extension Document {
    /// Parses a style sheet, which has links and no anchors.
    init(css bytes: Bytes) {
        let lines = LineNumbers(of: bytes)
        links = StyleSheet.links(in: bytes, bytes.indices).map { Link(target: $0.target, line: lines[$0.offset]) }
    }
}
