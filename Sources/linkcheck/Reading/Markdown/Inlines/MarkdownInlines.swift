// MarkdownInlines: finds the links and tags in a paragraph or a heading of a Markdown text.

/// Scans one paragraph or heading from left to right. It never goes back over what it has read.
///
/// - Complexity: O(*n*) in the length of the range. Where a closing mark is missing, that is remembered.
struct MarkdownInlines {
    /// The targets found, with their offsets, and the labels of definitions.
    private(set) var targets: [(text: String, offset: Int, label: String?)] = []
    /// The start tags and end tags found.
    private(set) var tags: [Range<Int>] = []
    /// What a reader does not see: the targets of links, tags, images, and the marks of code and emphasis.
    var hidden: [Range<Int>] = []

    /// The labels to which links refer.
    var usedLabels: Set<String> = []
    /// The offsets of `&` that start no entity: in code, and behind a backslash.
    private(set) var plainAmpersands: Set<Int> = []

    let text: Bytes
    let end: Int
    var position: Int
    private let start: Int
    /// The labels of the document's definitions.
    let labels: Set<String>

    struct Bracket {
        let offset: Int
        let isImage: Bool
        var isActive = true
        /// The number of bare addresses before the bracket.
        let addressCount: Int
    }

    /// The brackets that are still open.
    private var brackets: [Bracket] = []
    /// The open brackets before this index are inactive, because a link contains no other link.
    private var inactiveCount = 0
    /// The bare addresses so far, without those in the texts of links.
    private var addresses: [Int] = []
    /// The ranges that cannot be a part of a bare address, in order.
    private var taken: [Range<Int>] = []
    /// The offset of the last bracket, open or closed.
    private var lastBracket = -1
    private var emphasis = MarkdownEmphasis()
    private var missing = Missing()

    /// The closing marks that do not exist behind the position.
    struct Missing {
        var titles: Set<UInt8> = []
        /// By the length and the first byte of the mark.
        var markup: Set<Int> = []
        /// The last run of backticks of each length, from the first search on.
        var backticks: [Int: Int]?
    }

    init(_ text: Bytes, in range: Range<Int>, labels: Set<String> = []) {
        self.text = text
        self.labels = labels
        start = range.lowerBound
        end = range.upperBound
        position = start
    }

    /// Reads code, comments, tags, `[text](target)`, `[label]: target`, `<https://…>` and `https://…`.
    ///
    /// - Parameter isParagraph: Whether definitions may stand at the start.
    mutating func read(isParagraph: Bool) {
        while isParagraph, readDefinition() {}
        while position < end {
            switch text[position] {
            case "\\":
                if position + 1 < end, text[position + 1].isPunctuation {
                    hidden.append(position..<position + 1)
                    if text[position + 1] == "&" { plainAmpersands.insert(position + 1) }
                }
                position += 2
            case "`": readCode()
            case "<": readAngle()
            case "[":
                let isImage = position > start && text[position - 1] == "!"
                brackets.append(Bracket(offset: position, isImage: isImage, addressCount: addresses.count))
                lastBracket = position
                position += 1
            case "]": readLink()
            case ":":
                noteAddress()
                position += 1
            case "_":
                let run = text.skip(from: position, to: end) { $0 == "_" }
                hidden += emphasis.add(position..<run, in: text, start..<end)
                position = run
            default: position += 1
            }
        }
        readAddresses()
    }
}

extension MarkdownInlines {
    mutating func found(_ range: Range<Int>, label: String? = nil) {
        targets.append((MarkdownTarget.unescaped(text, range), range.lowerBound, label))
    }

    mutating func take(_ range: Range<Int>, isHidden: Bool = true) {
        taken.append(range)
        if isHidden { hidden.append(range) }
        position = range.upperBound
    }

    /// Reads a code span. If it is not closed, reads only its backticks.
    private mutating func readCode() {
        let start = position
        position = text.skip(from: start, to: end) { $0 == "`" }
        let length = position - start
        guard let last = lastBackticks(length), last >= position else { return }
        var index = position
        while index < end {
            index = text.skip(from: index, to: end) { $0 != "`" }
            let close = text.skip(from: index, to: end) { $0 == "`" }
            if close - index == length {
                hidden += [start..<start + length, index..<close]
                plainAmpersands.formUnion((start..<close).lazy.filter { [text] in text[$0] == "&" })
                return take(start..<close, isHidden: false)
            }
            index = close
        }
    }

    private mutating func lastBackticks(_ length: Int) -> Int? {
        if let known = missing.backticks { return known[length] }
        var last: [Int: Int] = [:]
        var index = position
        while index < end {
            index = text.skip(from: index, to: end) { $0 != "`" }
            let close = text.skip(from: index, to: end) { $0 == "`" }
            if close > index { last[close - index] = index }
            index = close
        }
        missing.backticks = last
        return last[length]
    }

    /// Reads comments, tags, `<https://…>` and mail addresses.
    private mutating func readAngle() {
        let start = position
        position += 1
        guard position < end else { return }
        if text[position] == "!" || text[position] == "?" { return readMarkup(from: start) }
        if let close = MarkdownTarget.autolinkEnd(in: text, start..<end) {
            let target = position..<close - 1
            if text[target].contains(":") {
                found(target)
            } else {
                targets.append(("mailto:" + text.text(target), target.lowerBound, nil))
            }
            take(start..<close, isHidden: false)
        } else if let close = MarkdownTag.end(in: text, start..<end) {
            tags.append(start..<close)
            take(start..<close)
        }
    }

    /// Reads comments, instructions, declarations and character data, which end with different marks.
    private mutating func readMarkup(from start: Int) {
        let close: StaticString
        if text.has("<!--", at: start) {
            close = "-->"
        } else if text[position] == "?" {
            close = "?>"
        } else if text.has("<![cdata[", at: start) {
            close = "]]>"
        } else if position + 1 < end, text[position + 1].isLetter {
            close = ">"
        } else {
            return
        }
        let length = close.utf8CodeUnitCount
        guard !missing.markup.contains(length + Int(close.utf8Start[0])) else { return }
        guard let mark = text.firstIndex(of: close, in: position + 1..<end) else {
            missing.markup.insert(length + Int(close.utf8Start[0]))
            return
        }
        take(start..<mark + length)
    }

    /// Reads `](target "title")` if a bracket is open, or the label in `][label]`.
    private mutating func readLink() {
        let close = position
        let lastBracket = lastBracket
        self.lastBracket = close
        position += 1
        guard let bracket = brackets.popLast() else { return }
        guard bracket.isImage || brackets.count >= inactiveCount else { return inactiveCount = brackets.count }
        inactiveCount = min(inactiveCount, brackets.count)
        let after: Int
        if position < end, text[position] == "(", let target = inlineTarget() {
            found(target.range)
            after = target.end
        } else if let end = referenceEnd(bracket.offset + 1..<close, isLabel: lastBracket == bracket.offset) {
            after = end
        } else {
            return
        }
        taken.append(close..<after)
        hidden.append(bracket.isImage ? bracket.offset..<after : close..<after)
        // An address in the text of a link is not a separate link.
        addresses.removeSubrange(bracket.addressCount...)
        if !bracket.isImage { inactiveCount = brackets.count }
        position = after
    }

    private mutating func inlineTarget() -> (range: Range<Int>, end: Int)? {
        let start = text.skip(from: position + 1, to: end) { $0.isSpace }
        guard let (target, after) = MarkdownTarget.destination(in: text, from: start, to: end) else { return nil }
        guard let title = titleEnd(from: after) else { return nil }
        let close = text.skip(from: title, to: end) { $0.isSpace }
        return close < end && text[close] == ")" ? (target, close + 1) : nil
    }

    /// Returns the offset after a title and the whitespace before it, `start` if there is none, or nil if the title is
    /// not closed.
    mutating func titleEnd(from start: Int) -> Int? {
        let index = text.skip(from: start, to: end) { $0.isSpace }
        guard index < end, index > start else { return start }
        let open = text[index]
        guard open == "\"" || open == "'" || open == "(" else { return start }
        guard !missing.titles.contains(open) else { return nil }
        let close: UInt8 = open == "(" ? ")" : open
        var last = index + 1
        while last < end, text[last] != close {
            if open == "(", text[last] == "(" { return nil }
            last += text[last] == "\\" ? 2 : 1
        }
        guard last < end else {
            missing.titles.insert(open)
            return nil
        }
        return last + 1
    }
}

extension MarkdownInlines {
    /// Remembers the start of `https://` if its colon is at the position.
    private mutating func noteAddress() {
        guard text.has("://", at: position), position + 3 < end else { return }
        let scheme = text.has("https", at: position - 5) ? 5 : text.has("http", at: position - 4) ? 4 : 0
        let first = position - scheme
        guard scheme > 0, first >= start, first == start || !text[first - 1].isWordPart else { return }
        addresses.append(first)
    }

    /// Reads the bare addresses outside of everything else.
    private mutating func readAddresses() {
        var next = 0
        var last = start
        for first in addresses where first >= last {
            while next < taken.count, taken[next].lowerBound < first { next += 1 }
            let limit = next < taken.count ? taken[next].lowerBound : end
            let stop = text.skip(from: first, to: limit) {
                !$0.isSpace && $0 != "<" && $0 != ">" && $0 != "\"" && $0 != "`"
            }
            last = MarkdownTarget.trimmingPunctuation(text, first..<stop)
            guard let slashes = text.firstIndex(of: "://", in: first..<stop), last > slashes + 3 else { continue }
            targets.append((text.decodingEntities(in: first..<last, as: .strict), first, nil))
        }
    }
}
