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
                if isImport, let range = text.range { links.append((unescaped(bytes, range), range.lowerBound)) }
                isImport = false
                index = text.end
            case "@":
                isImport = bytes.has("@import", at: index)
                index += isImport ? 7 : 1
            case "u", "U":
                let isWord = index > range.lowerBound && (bytes[index - 1].isWordPart || bytes[index - 1] == "-")
                isImport = false
                guard !isWord, bytes.has("url(", at: index), index + 4 <= end else {
                    index += 1
                    continue
                }
                let (target, after) = address(in: bytes, from: index + 4, to: end)
                index = after
                guard let target else { continue }
                let text = unescaped(bytes, target)
                // A namespace is not an address to load.
                if !text.isEmpty { links.append((text, target.lowerBound)) }
            default:
                // The text of an import follows it immediately.
                if !bytes[index].isSpace { isImport = false }
                index += 1
            }
        }
        return links
    }

    /// Returns the range of the address after `url(`, quoted or not, and the offset after it. The range is nil if the
    /// address is malformed, such as one with spaces and no quotes, which browsers ignore.
    private static func address(in bytes: Bytes, from start: Int, to end: Int) -> (Range<Int>?, Int) {
        let first = bytes.skip(from: start, to: end) { $0.isSpace }
        guard first < end else { return (nil, end) }
        if bytes[first] == "\"" || bytes[first] == "'" { return string(in: bytes, from: first, to: end) }
        let last = addressEnd(in: bytes, from: first, to: end) { !$0.isSpace && !["\"", "'", "("].contains($0) }
        let close = bytes.skip(from: last, to: end) { $0.isSpace }
        if close == end || bytes[close] == ")" { return (first..<last, close) }
        return (nil, addressEnd(in: bytes, from: close, to: end) { _ in true })
    }

    /// Returns the offset of the parenthesis that closes an address, or of a byte before it that does not satisfy
    /// `condition`.
    private static func addressEnd(in bytes: Bytes, from start: Int, to end: Int, while condition: (UInt8) -> Bool)
        -> Int
    {
        var index = start
        while index < end, bytes[index] != ")", condition(bytes[index]) {
            index = bytes[index] == "\\" ? escape(in: bytes, from: index, to: end).end : index + 1
        }
        return min(index, end)
    }

    /// Returns the range of the text in quotes that starts at `start`, and the offset after it. A text that its line
    /// ends is malformed, and has no range.
    private static func string(in bytes: Bytes, from start: Int, to end: Int) -> (range: Range<Int>?, end: Int) {
        var index = start + 1
        while index < end, bytes[index] != bytes[start], bytes[index] != "\n" {
            index += bytes[index] == "\\" ? 2 : 1
        }
        let close = Swift.min(index, end)
        if close < end, bytes[close] == "\n" { return (nil, close) }
        return (start + 1..<close, Swift.min(close + 1, end))
    }

    private static func unescaped(_ bytes: Bytes, _ range: Range<Int>) -> String {
        guard bytes[range].contains("\\") else { return bytes.text(range) }
        var text = ""
        var index = range.lowerBound
        while index < range.upperBound {
            let plain = bytes.skip(from: index, to: range.upperBound) { $0 != "\\" }
            text += bytes.text(index..<plain)
            guard plain < range.upperBound else { break }
            let (character, end) = escape(in: bytes, from: plain, to: range.upperBound)
            text += character
            index = end
        }
        return text
    }

    /// Returns the text that is escaped at a backslash, and the offset after it: a character, or the character whose
    /// number is given in up to six hexadecimal digits, which one space may end.
    private static func escape(in bytes: Bytes, from start: Int, to end: Int) -> (text: String, end: Int) {
        let first = start + 1
        var after = first
        var number: UInt32 = 0
        while after < min(first + 6, end), let digit = Character(Unicode.Scalar(bytes[after])).hexDigitValue {
            number = number * 16 + UInt32(digit)
            after += 1
        }
        guard after > first else {
            // Of a character that is not ASCII, the bytes follow as they are.
            let isByte = first < end && bytes[first] < 0x80
            return isByte ? (bytes.text(first..<first + 1), first + 1) : ("", first)
        }
        if after < end, bytes[after].isSpace { after += bytes.has("\r\n", at: after) ? 2 : 1 }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        return (String(Character(scalar ?? "\u{FFFD}")), min(after, end))
    }
}

extension Document {
    /// Parses a style sheet, which has links and no anchors.
    init(css bytes: Bytes) {
        let lines = LineNumbers(of: bytes)
        links = StyleSheet.links(in: bytes, bytes.indices).map { Link(target: $0.target, line: lines[$0.offset]) }
    }
}
