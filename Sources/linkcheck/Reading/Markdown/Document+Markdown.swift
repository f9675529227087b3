// Document+Markdown: the links and anchors of a Markdown text.

extension Document {
    /// Parses a Markdown text: CommonMark, with GitHub's anchors and bare addresses, and embedded HTML.
    init(markdown text: String) {
        let blocks = MarkdownBlocks(text)
        var slugs = Slugs()
        anchors = Set(blocks.headings.map { slugs.slug(for: $0) })

        var inlines = MarkdownInlines(blocks.prose)
        inlines.read()
        let lines = LineNumbers(of: blocks.prose)
        add(HTMLTags(inlines.rest, skipsRawText: false), lines: lines)
        inlines.readBareAddresses()
        links += inlines.targets.map { Link(target: $0.text, line: lines[$0.offset]) }
        links.sort { $0.line < $1.line }
    }
}
