// MarkdownInlines: finds the links in the prose of a Markdown text.

/// Finds the links in prose. It blanks everything that it has read, so that nothing counts twice.
struct MarkdownInlines {
    private(set) var targets: [(text: String, offset: Int)] = []
    private(set) var rest: Bytes
    private var position = 0
    /// The offsets of the brackets that are still open.
    private var brackets: [Int] = []

    init(_ prose: Bytes) {
        rest = prose
    }

    /// Reads code spans, comments, `[text](target)`, `[label]: target` and `<https://…>`.
    mutating func read() {
        while position < rest.count {
            switch rest[position] {
            case "\\": position += 2
            case "`": skipCode()
            case "<": readAngle()
            case "[":
                if readDefinition() { continue }
                brackets.append(position)
                position += 1
            case "]": readLink()
            case "\n":
                position += 1
                // Links do not extend across blank lines.
                if rest.skip(from: position, while: { $0 == " " || $0 == "\t" || $0 == "\r" }) == lineEnd {
                    brackets = []
                }
            default: position += 1
            }
        }
    }
}

extension MarkdownInlines {
    private var lineEnd: Int { rest.skip(from: position) { $0 != "\n" } }

    private mutating func found(_ range: Range<Int>) {
        let text = rest.text(range).decodingHTMLEntities()
        // A backslash before punctuation escapes it.
        let target = text.replacing(/\\([!-\/:-@\[-`{-~])/) { $0.1 }
        targets.append((target, range.lowerBound))
    }

    /// Blanks a code span. If it is not closed in the same paragraph, skips only its backticks.
    private mutating func skipCode() {
        let start = position
        position = rest.skip(from: start) { $0 == "`" }
        let length = position - start
        var index = position
        while index < rest.count {
            if rest[index] == "\n" {
                let next = rest.skip(from: index + 1) { $0 == " " || $0 == "\t" || $0 == "\r" }
                if next >= rest.count || rest[next] == "\n" { return }
                index += 1
            } else if rest[index] == "`" {
                let end = rest.skip(from: index) { $0 == "`" }
                if end - index == length {
                    rest.blank(start..<end)
                    position = end
                    return
                }
                index = end
            } else {
                index += 1
            }
        }
    }

    /// Blanks comments, and reads `<https://…>` and mail addresses. Tags remain, to be read as HTML.
    private mutating func readAngle() {
        let start = position
        position += 1
        if rest.has("<!--", at: start) {
            position = rest.firstIndex(of: "-->", from: start).map { $0 + 3 } ?? rest.count
            rest.blank(start..<position)
            return
        }
        let end = rest.skip(from: position) { !$0.isSpace && $0 != "<" && $0 != ">" }
        guard end < rest.count, rest[end] == ">" else { return }
        let text = rest.text(position..<end)
        if text.contains(/^[A-Za-z][A-Za-z0-9+.\-]{1,31}:/) {
            found(position..<end)
        } else if text.contains(/^[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+$/) {
            targets.append(("mailto:" + text, position))
        } else {
            return
        }
        rest.blank(start..<end + 1)
        position = end + 1
    }

    /// Reads `](target "title")` if a bracket is open.
    private mutating func readLink() {
        let close = position
        position += 1
        guard let open = brackets.popLast(), position < rest.count, rest[position] == "(" else { return }
        let start = rest.skip(from: position + 1) { $0.isSpace }
        guard let (target, after) = destination(from: start) else { return }
        guard let end = skipTitle(from: after), end < rest.count, rest[end] == ")" else { return }
        found(target)
        rest.blank(close..<end + 1)
        // An address in the text of a link is not a separate link. Images in the text have already been read.
        blankAddresses(in: open..<close)
        position = end + 1
    }

    /// Reads `[label]: target` at the start of a line, and returns whether there is one. Footnotes are prose.
    private mutating func readDefinition() -> Bool {
        let before = rest[..<position].last { $0 == "\n" || !($0.isSpace || $0 == ">") }
        guard before == nil || before == "\n", !rest.has("[^", at: position) else { return false }
        let end = rest.skip(from: position + 1) { $0 != "]" && $0 != "\n" && $0 != "[" }
        guard end > position + 1, rest.has("]:", at: end) else { return false }
        let start = rest.skip(from: end + 2) { $0.isSpace }
        guard let (target, after) = destination(from: start), !target.isEmpty else { return false }
        // If anything but a title follows, the line is a sentence.
        let last = skipTitle(from: after, onOneLine: true) ?? after
        guard last >= rest.count || rest[last] == "\n" else { return false }
        found(target)
        rest.blank(position..<last)
        position = last
        return true
    }

    /// Returns the range of a target, and the offset after it. The target is `<any text>`, or else ends at whitespace
    /// or at an unbalanced closing parenthesis. Returns nil if it is malformed.
    private func destination(from start: Int) -> (target: Range<Int>, after: Int)? {
        guard start < rest.count else { return nil }
        if rest[start] == "<" {
            let end = rest.skip(from: start + 1) { $0 != ">" && $0 != "\n" && $0 != "<" }
            return end < rest.count && rest[end] == ">" ? (start + 1..<end, end + 1) : nil
        }
        var (index, depth) = (start, 0)
        while index < rest.count, !rest[index].isSpace {
            switch rest[index] {
            case "\\": index += 1
            case "(" where depth == 32: return nil
            case "(": depth += 1
            case ")" where depth == 0: return (start..<index, index)
            case ")": depth -= 1
            default: break
            }
            index += 1
        }
        index = Swift.min(index, rest.count)
        return (start..<index, index)
    }

    /// Returns the offset after an optional title and the whitespace around it, or nil if the title is not closed.
    private func skipTitle(from start: Int, onOneLine: Bool = false) -> Int? {
        let isSpace = { (byte: UInt8) in byte.isSpace && !(onOneLine && byte == "\n") }
        let index = rest.skip(from: start, while: isSpace)
        guard index < rest.count, index > start else { return index }
        let close: UInt8
        switch rest[index] {
        case "\"", "'": close = rest[index]
        case "(": close = ")"
        default: return index
        }
        var end = index + 1
        while end < rest.count, rest[end] != close { end += rest[end] == "\\" ? 2 : 1 }
        return end < rest.count ? rest.skip(from: end + 1, while: isSpace) : nil
    }
}

extension MarkdownInlines {
    /// Reads the bare addresses in the prose. It must be called after everything else has been read.
    mutating func readBareAddresses() {
        for tag in HTMLTags(rest, skipsRawText: false) { rest.blank(tag.range) }
        for range in addresses(in: 0..<rest.count) {
            targets.append((rest.text(range).decodingHTMLEntities(), range.lowerBound))
        }
    }

    private mutating func blankAddresses(in range: Range<Int>) {
        for address in addresses(in: range) { rest.blank(address) }
    }

    private func addresses(in range: Range<Int>) -> [Range<Int>] {
        var addresses: [Range<Int>] = []
        var index = range.lowerBound
        while let colon = rest[index..<range.upperBound].firstIndex(of: ":") {
            index = colon + 1
            guard rest.has("://", at: colon), colon + 3 < range.upperBound else { continue }
            index = colon + 3
            let scheme = rest.has("https", at: colon - 5) ? 5 : rest.has("http", at: colon - 4) ? 4 : 0
            let start = colon - scheme
            guard scheme > 0, start >= range.lowerBound, start == 0 || !rest[start - 1].isWordPart else {
                continue
            }
            var end = rest.skip(from: index) {
                !$0.isSpace && $0 != "<" && $0 != ">" && $0 != "\"" && $0 != "`"
            }
            end = Swift.min(end, range.upperBound)
            end = trimmingPunctuation(start..<end)
            if end > index { addresses.append(start..<end) }
            index = Swift.max(index, end)
        }
        return addresses
    }

    /// Returns the end of an address without trailing punctuation and without unbalanced closing parentheses.
    private func trimmingPunctuation(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let text = rest[range.lowerBound..<end]
            switch rest[end - 1] {
            case ".", ",", ":", ";", "!", "?", "'", "*", "_", "~", "]", "|": end -= 1
            case ")" where text.count { $0 == ")" } > text.count { $0 == "(" }: end -= 1
            default: return end
            }
        }
        return end
    }
}

extension UInt8 {
    fileprivate var isWordPart: Bool { isLetter || isDigit || self == "_" }
}
