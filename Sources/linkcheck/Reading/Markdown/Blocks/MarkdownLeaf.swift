// MarkdownLeaf: the lines that start headings, rules, list items and fenced code.

enum MarkdownLeaf {
    /// Returns the text of `## Heading ##`, or nil if the line is not a heading.
    static func heading(_ text: Bytes, _ line: Range<Int>) -> Range<Int>? {
        let level = text.skip(from: line.lowerBound, to: line.upperBound) { $0 == "#" } - line.lowerBound
        let start = line.lowerBound + level
        guard (1...6).contains(level), start == line.upperBound || text[start].isSpace else { return nil }
        let content = trimmed(text, start..<line.upperBound)
        var end = content.upperBound
        while end > content.lowerBound, text[end - 1] == "#" { end -= 1 }
        if end == content.lowerBound { return end..<end }
        return text[end - 1].isSpace ? trimmed(text, content.lowerBound..<end) : content
    }

    /// Returns whether a line makes the paragraph before it a heading.
    static func isUnderline(_ text: Bytes, _ line: Range<Int>) -> Bool {
        guard let mark = text[line].first, mark == "=" || mark == "-" else { return false }
        let end = text.skip(from: line.lowerBound, to: line.upperBound) { $0 == mark }
        return text[end..<line.upperBound].allSatisfy(\.isSpace)
    }

    /// Returns whether a line is a rule: at least three of `*`, `-` or `_`.
    static func isRule(_ text: Bytes, _ line: Range<Int>) -> Bool {
        guard let mark = text[line].first, mark == "*" || mark == "-" || mark == "_" else { return false }
        var count = 0
        for byte in text[line] {
            if byte == mark { count += 1 } else if !byte.isSpace { return false }
        }
        return count >= 3
    }

    private static func trimmed(_ text: Bytes, _ range: Range<Int>) -> Range<Int> {
        let start = text.skip(from: range.lowerBound, to: range.upperBound) { $0.isSpace }
        var end = range.upperBound
        while end > start, text[end - 1].isSpace { end -= 1 }
        return start..<end
    }
}

/// The mark of a list item: `-`, `*`, `+`, `1.` or `1)`.
struct MarkdownListItem {
    let markWidth: Int

    /// Reads the mark at an offset, or returns nil if there is none. A paragraph is interrupted by items with text
    /// only, and by numbered ones that start with 1.
    init?(in text: Bytes, at start: Int, of line: MarkdownLine, interrupts: Bool) {
        let digits = text.skip(from: start, to: line.end) { $0.isDigit } - start
        let mark = start + digits
        guard digits <= 9, mark < line.end else { return nil }
        let isMark =
            digits > 0
            ? text[mark] == "." || text[mark] == ")"
            : text[mark] == "-" || text[mark] == "*" || text[mark] == "+"
        guard isMark, mark + 1 == line.end || text[mark + 1].isSpace else { return nil }
        if digits == 0, MarkdownLeaf.isRule(text, start..<line.end) { return nil }
        if interrupts {
            let isEmpty = text[(mark + 1)..<line.end].allSatisfy(\.isSpace)
            guard !isEmpty, digits == 0 || text.text(start..<mark) == "1" else { return nil }
        }
        markWidth = digits + 1
    }
}

/// The opening of fenced code: at least three backticks or tildes.
struct MarkdownFence {
    private let mark: UInt8
    private let count: Int

    init?(_ text: Bytes, _ line: Range<Int>) {
        guard let mark = text[line].first, mark == "`" || mark == "~" else { return nil }
        let end = text.skip(from: line.lowerBound, to: line.upperBound) { $0 == mark }
        // A line like ```this``` is a code span.
        guard end - line.lowerBound >= 3, mark == "~" || !text[end..<line.upperBound].contains("`") else { return nil }
        self.mark = mark
        count = end - line.lowerBound
    }

    func isClosed(by text: Bytes, _ line: Range<Int>) -> Bool {
        let end = text.skip(from: line.lowerBound, to: line.upperBound) { $0 == mark }
        return end - line.lowerBound >= count && text[end..<line.upperBound].allSatisfy(\.isSpace)
    }
}
