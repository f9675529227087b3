// Document+Markdown: the links and anchors of a Markdown text.

extension Document {
    /// Parses a Markdown text: CommonMark, with GitHub's anchors and bare addresses, and embedded HTML.
    init(markdown bytes: Bytes) {
        self.init(kind: .markdown)
        let blocks = MarkdownBlocks(bytes)
        let lines = LineNumbers(of: bytes)
        var slugs = Slugs()
        for heading in blocks.headings {
            let inlines = add(heading.range, of: blocks.text, lines: lines, isParagraph: heading.isParagraph)
            let title = MarkdownHeading(blocks.text, in: heading.range, inlines)
            // Nothing is left of a paragraph of definitions.
            if heading.isParagraph, title.text.isEmpty { continue }
            anchors.insert(slugs.slug(for: title.text))
            if let anchor = title.anchor { anchors.insert(anchor) }
        }
        for range in blocks.paragraphs { _ = add(range, of: blocks.text, lines: lines, isParagraph: true) }
        for range in blocks.html {
            var tags = HTMLTags(blocks.text, in: range)
            while tags.next() { add(tags, lines: lines) }
        }
        links.sort { $0.line < $1.line }
    }

    init(markdown text: String) { self.init(markdown: Bytes(text.utf8)) }

    private mutating func add(_ range: Range<Int>, of text: Bytes, lines: LineNumbers, isParagraph: Bool)
        -> MarkdownInlines
    {
        var inlines = MarkdownInlines(text, in: range)
        inlines.read(isParagraph: isParagraph)
        var targets = inlines.targets.sorted { $0.offset < $1.offset }[...]
        for range in inlines.tags {
            while let target = targets.first, target.offset < range.lowerBound {
                links.append(Link(target: target.text, line: lines[target.offset]))
                targets.removeFirst()
            }
            var tags = HTMLTags(text, in: range)
            if tags.next() { add(tags, lines: lines) }
        }
        links += targets.map { Link(target: $0.text, line: lines[$0.offset]) }
        return inlines
    }
}
