// MarkdownBlocks: separates a Markdown text into its blocks, line by line, as CommonMark does.

/// The paragraphs, headings and HTML blocks of a Markdown text.
///
/// - Complexity: O(*n*) in the length of the text, because the depth of nested quotes and lists is limited.
struct MarkdownBlocks {
    /// The text with code and the marks of quotes and lists blanked. All other text keeps its offset and line.
    private(set) var text: Bytes
    private(set) var paragraphs: [Range<Int>] = []
    private(set) var headings: [Heading] = []
    private(set) var html: [Range<Int>] = []

    struct Heading {
        let range: Range<Int>
        /// Whether it is a paragraph before an underline, which may start with definitions.
        let isParagraph: Bool
    }

    private enum Container {
        case quote
        /// A list item whose content is indented by this width.
        case item(indentation: Int, isEmpty: Bool)
    }

    private enum Leaf {
        case none
        case paragraph(Range<Int>)
        case fence(MarkdownFence)
        case indentedCode
        case html(MarkdownHTMLBlock, Range<Int>)
    }

    private var containers: [Container] = []
    private var leaf = Leaf.none
    private static let maxDepth = 50

    init(_ bytes: Bytes) {
        text = bytes
        var start = Self.endOfFrontMatter(in: bytes)
        while start < text.count {
            let end = text.skip(from: start) { $0 != "\n" }
            read(start..<end)
            start = end + 1
        }
        closeLeaf()
    }
}

extension MarkdownBlocks {
    /// Returns the offset after the YAML between a first line `---` and the next one, or 0 if there is none. A rule has
    /// an empty line after it.
    private static func endOfFrontMatter(in bytes: Bytes) -> Int {
        var (start, number) = (0, 0)
        while start < bytes.count {
            number += 1
            let end = bytes.skip(from: start) { $0 != "\n" }
            let line = bytes.text(start..<end).trimmed
            guard number == 1 ? line == "---" : number > 2 || !line.isEmpty else { return 0 }
            start = Swift.min(end + 1, bytes.count)
            if number > 1, line == "---" || line == "..." { return start }
        }
        return 0
    }

    private mutating func read(_ range: Range<Int>) {
        var line = MarkdownLine(range, of: text)
        let matched = continueContainers(&line)
        if matched == containers.count, continueLeaf(line) { return }
        let opened = openContainers(&line, after: matched)

        let (width, next) = line.indentation(in: text)
        let isParagraph = if case .paragraph = leaf { true } else { false }
        if next == line.end {
            return close(to: opened ?? matched)
        }
        let depth = opened ?? matched
        if openLeaf(line, depth: depth, canInterrupt: opened != nil || !isParagraph) { return }
        if opened == nil, case .paragraph(let lines) = leaf {
            // Also if the line lacks marks of the paragraph's quotes and lists.
            leaf = .paragraph(lines.lowerBound..<line.end)
        } else {
            close(to: depth)
            if width >= 4 {
                leaf = .indentedCode
                text.blank(next..<line.end)
            } else {
                leaf = .paragraph(next..<line.end)
            }
        }
    }

    /// Consumes the marks of the open quotes and lists, and returns how many of them the line continues.
    private mutating func continueContainers(_ line: inout MarkdownLine) -> Int {
        for (depth, container) in containers.enumerated() {
            let (width, next) = line.indentation(in: text)
            switch container {
            case .quote:
                guard width <= 3, next < line.end, text[next] == ">" else { return depth }
                consumeQuote(at: next, of: &line)
            case .item(let indentation, let isEmpty):
                if next == line.end, !isEmpty || depth + 1 < containers.count { continue }
                guard next < line.end, width >= indentation else { return depth }
                line.skip(indentation, in: text)
                if isEmpty { containers[depth] = .item(indentation: indentation, isEmpty: false) }
            }
        }
        return containers.count
    }

    private mutating func consumeQuote(at mark: Int, of line: inout MarkdownLine) {
        line.move(to: mark + 1, in: text)
        text[mark] = " "
        line.skip(1, in: text)
    }

    /// Consumes the marks of new quotes and list items. Returns the depth of the containers after that, or nil if none
    /// was opened. A container is only added once the leaf before it is closed.
    private mutating func openContainers(_ line: inout MarkdownLine, after matched: Int) -> Int? {
        var depth = matched
        var hasOpened = false
        while depth < Self.maxDepth {
            let (width, next) = line.indentation(in: text)
            guard width <= 3, next < line.end else { break }
            let isInParagraph =
                if case .paragraph = leaf, !hasOpened, matched == containers.count { true } else { false }
            let container: Container
            if text[next] == ">" {
                consumeQuote(at: next, of: &line)
                container = .quote
            } else if let item = MarkdownListItem(in: text, at: next, of: line, interrupts: isInParagraph),
                !isUnderline(next..<line.end, depth: depth, matched: matched)
            {
                line.move(to: next + item.markWidth, in: text)
                text.blank(next..<next + item.markWidth)
                let padding = line.indentation(in: text)
                let isEmpty = padding.next == line.end
                let content = isEmpty || padding.width > 4 ? 1 : padding.width
                line.skip(content, in: text)
                container = .item(indentation: width + item.markWidth + content, isEmpty: isEmpty)
            } else {
                break
            }
            if !hasOpened { close(to: matched) }
            hasOpened = true
            containers.append(container)
            depth += 1
        }
        return hasOpened ? depth : nil
    }

    private func isUnderline(_ range: Range<Int>, depth: Int, matched: Int) -> Bool {
        guard case .paragraph = leaf, depth == matched, matched == containers.count else { return false }
        return MarkdownLeaf.isUnderline(text, range)
    }
}

extension MarkdownBlocks {
    /// Adds a line to open code or HTML, and returns whether the line belongs to that.
    private mutating func continueLeaf(_ line: MarkdownLine) -> Bool {
        let (width, next) = line.indentation(in: text)
        switch leaf {
        case .fence(let fence):
            if width <= 3, fence.isClosed(by: text, next..<line.end) { leaf = .none }
            text.blank(line.index..<line.end)
            return true
        case .indentedCode where width >= 4 || next == line.end:
            text.blank(line.index..<line.end)
            return true
        case .html(let block, let range):
            if block.endsBeforeBlankLine, next == line.end { return false }
            leaf = .html(block, range.lowerBound..<line.end)
            if block.isClosed(by: text, line.index..<line.end) { closeLeaf() }
            return true
        default: return false
        }
    }

    /// Opens a heading, fenced code, HTML or a rule within the first `depth` containers, and returns whether the line
    /// starts one. Text that continues a paragraph cannot be a heading's underline if it lacks marks of containers.
    private mutating func openLeaf(_ line: MarkdownLine, depth: Int, canInterrupt: Bool) -> Bool {
        let (width, next) = line.indentation(in: text)
        guard width <= 3 else { return false }
        let content = next..<line.end
        if let heading = MarkdownLeaf.heading(text, content) {
            close(to: depth)
            headings.append(Heading(range: heading, isParagraph: false))
        } else if let fence = MarkdownFence(text, content) {
            close(to: depth)
            leaf = .fence(fence)
            text.blank(content)
        } else if let block = MarkdownHTMLBlock(text, content, canInterrupt: canInterrupt) {
            close(to: depth)
            leaf = .html(block, content)
            if block.isClosed(by: text, content) { closeLeaf() }
        } else if depth == containers.count, case .paragraph(let lines) = leaf, MarkdownLeaf.isUnderline(text, content)
        {
            headings.append(Heading(range: lines, isParagraph: true))
            leaf = .none
        } else if MarkdownLeaf.isRule(text, content) {
            close(to: depth)
        } else {
            return false
        }
        return true
    }

    private mutating func close(to depth: Int) {
        closeLeaf()
        if depth < containers.count { containers.removeSubrange(depth...) }
    }

    private mutating func closeLeaf() {
        switch leaf {
        case .paragraph(let range): paragraphs.append(range)
        case .html(_, let range): html.append(range)
        default: break
        }
        leaf = .none
    }
}
