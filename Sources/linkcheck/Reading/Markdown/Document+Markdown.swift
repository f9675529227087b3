// Document+Markdown: the links and anchors of a Markdown text.

extension Document {
    /// Parses a Markdown text: CommonMark, with GitHub's anchors and bare addresses, and embedded HTML.
    init(markdown bytes: Bytes) {
        self.init(kind: .markdown)
        let blocks = MarkdownBlocks(bytes)
        let lines = LineNumbers(of: bytes)
        var slugs = Slugs()
        for range in blocks.headings {
            let inlines = add(range, of: blocks.text, lines: lines)
            let heading = MarkdownHeading(blocks.text, in: range, inlines)
            anchors.insert(slugs.slug(for: heading.text))
            if let anchor = heading.anchor { anchors.insert(anchor) }
        }
        for range in blocks.paragraphs { _ = add(range, of: blocks.text, lines: lines) }
        for range in blocks.html {
            var tags = HTMLTags(blocks.text, in: range)
            while tags.next() { add(tags, lines: lines) }
        }
        links.sort { $0.line < $1.line }
    }

    init(markdown text: String) { self.init(markdown: Bytes(text.utf8)) }

    private mutating func add(_ range: Range<Int>, of text: Bytes, lines: LineNumbers) -> MarkdownInlines {
        var inlines = MarkdownInlines(text, in: range)
        inlines.read()
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
