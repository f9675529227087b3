// MarkdownBlocks: separates the prose of a Markdown text from its code, line by line.

/// The prose and the headings of a Markdown text.
struct MarkdownBlocks {
    /// The text with code blocks and comments blanked. All other text keeps its offset and line.
    private(set) var prose: Bytes
    /// The headings as written, including markup.
    private(set) var headings: [String] = []

    private var fence: (mark: UInt8, count: Int)?
    private var isInComment = false
    private var isInList = false
    private var isInIndentedCode = false
    private var isAfterBlank = true
    /// The lines of the paragraph so far. An underline turns them into a heading.
    private var paragraph: [String] = []

    init(_ text: String) {
        prose = Bytes(text.utf8)
        var start = 0
        while start < prose.count {
            let end = prose.skip(from: start) { $0 != "\n" }
            read(start..<end)
            start = end + 1
        }
    }
}

extension MarkdownBlocks {
    private mutating func read(_ line: Range<Int>) {
        let (content, indentation) = content(of: line)
        if let fence {
            let count = run(of: fence.mark, in: content)
            let rest = content.dropFirst(count)
            if count >= fence.count, rest.allSatisfy({ prose[$0].isSpace }) { self.fence = nil }
            prose.blank(line)
        } else if isInComment {
            endComment(in: line)
        } else if content.isEmpty {
            isAfterBlank = true
            paragraph = []
        } else if indentation >= 4, !isInList, isInIndentedCode || (isAfterBlank && paragraph.isEmpty) {
            isInIndentedCode = true
            prose.blank(line)
        } else {
            readProse(content, isIndented: indentation > 0)
        }
    }

    private mutating func readProse(_ line: Range<Int>, isIndented: Bool) {
        let item = listItem(line)
        if item != nil { isInList = true } else if !isIndented, isAfterBlank { isInList = false }
        isInIndentedCode = false
        isAfterBlank = false

        let content = item ?? line
        if let opening = fenceOpening(content) {
            fence = opening
            paragraph = []
            prose.blank(content)
        } else if prose.has("<!--", at: content.lowerBound) {
            isInComment = true
            endComment(in: content)
        } else if let heading = hashHeading(content) {
            headings.append(heading)
            paragraph = []
        } else if isUnderline(line), !paragraph.isEmpty {
            headings.append(paragraph.joined(separator: " "))
            paragraph = []
        } else {
            if item != nil { paragraph = [] }
            paragraph.append(prose.text(content).trimmed)
        }
    }

    /// Blanks a line up to the end of the comment, or the whole line if the comment does not end on it.
    private mutating func endComment(in line: Range<Int>) {
        if let end = prose.firstIndex(of: "-->", from: line.lowerBound), end < line.upperBound {
            isInComment = false
            prose.blank(line.lowerBound..<end + 3)
        } else {
            prose.blank(line)
        }
    }
}

extension MarkdownBlocks {
    /// Returns a line without its quote marks, indentation and trailing whitespace, and the width of the indentation.
    private func content(of line: Range<Int>) -> (Range<Int>, indentation: Int) {
        var (start, end, indentation) = (line.lowerBound, line.upperBound, 0)
        while start < end, prose[start].isSpace || prose[start] == ">" {
            switch prose[start] {
            case ">": indentation = -1  // The space behind the mark belongs to it.
            case "\t": indentation += 4
            default: indentation += 1
            }
            start += 1
        }
        while start < end, prose[end - 1].isSpace { end -= 1 }
        return (start..<end, indentation)
    }

    /// Returns the number of consecutive `mark` bytes at the start of the range.
    private func run(of mark: UInt8, in range: Range<Int>) -> Int {
        range.prefix { prose[$0] == mark }.count
    }

    /// Returns the text after `-`, `*`, `+`, `1.` or `1)`, or nil if the line does not start a list item.
    private func listItem(_ line: Range<Int>) -> Range<Int>? {
        let digits = line.prefix { prose[$0].isDigit }.count
        let mark = line.lowerBound + digits
        guard mark < line.upperBound else { return nil }
        let isMark =
            digits > 0
            ? prose[mark] == "." || prose[mark] == ")"
            : prose[mark] == "-" || prose[mark] == "*" || prose[mark] == "+"
        guard isMark, mark + 1 < line.upperBound, prose[mark + 1].isSpace else { return nil }
        return prose.skip(from: mark + 1) { $0.isSpace }..<line.upperBound
    }

    private func fenceOpening(_ line: Range<Int>) -> (mark: UInt8, count: Int)? {
        guard let mark = line.first.map({ prose[$0] }), mark == "`" || mark == "~" else { return nil }
        let count = run(of: mark, in: line)
        // A line like ```this``` is a code span.
        let isSpan = mark == "`" && line.dropFirst(count).contains { prose[$0] == "`" }
        return count >= 3 && !isSpan ? (mark, count) : nil
    }

    /// Returns the text of `## Heading ##`, or nil if the line is not a heading.
    private func hashHeading(_ line: Range<Int>) -> String? {
        let level = run(of: "#", in: line)
        let rest = line.dropFirst(level)
        guard (1...6).contains(level), rest.first.map({ prose[$0].isSpace }) ?? true else { return nil }
        var text = prose.text(rest).trimmed[...]
        let closed = text.lastIndex { $0 != "#" }
        if let closed, text[closed].isWhitespace { text = text[...closed] }
        return closed == nil ? "" : String(text).trimmed
    }

    private func isUnderline(_ line: Range<Int>) -> Bool {
        line.allSatisfy { prose[$0] == "=" } || line.allSatisfy { prose[$0] == "-" }
    }
}

extension String {
    /// The text without surrounding whitespace.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
