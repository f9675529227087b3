// Document+Markdown: the links and anchors of a Markdown text.

extension Document {
    /// Parses a Markdown text: CommonMark, with GitHub's anchors and bare addresses, YAML front matter, and embedded
    /// HTML.
    init(markdown bytes: Bytes) {
        self.init(kind: .markdown)
        let blocks = MarkdownBlocks(bytes)
        let lines = LineNumbers(of: bytes)
        // A link may refer to a definition that follows it.
        let labels = Self.labels(of: blocks)
        var headings: [MarkdownHeading] = []
        var usedLabels: Set<String> = []
        for heading in blocks.headings {
            var inlines = MarkdownInlines(blocks.text, in: heading.range, labels: labels)
            inlines.read(isParagraph: heading.isParagraph)
            add(inlines, lines: lines, &headings)
            usedLabels.formUnion(inlines.usedLabels)
            let title = MarkdownHeading(blocks.text, in: heading.range, inlines)
            // Nothing is left of a paragraph of definitions.
            if !heading.isParagraph || !title.text.isEmpty { headings.append(title) }
        }
        for range in blocks.paragraphs {
            var inlines = MarkdownInlines(blocks.text, in: range, labels: labels)
            inlines.read(isParagraph: true)
            add(inlines, lines: lines, &headings)
            usedLabels.formUnion(inlines.usedLabels)
        }
        for range in blocks.html {
            var tags = HTMLTags(blocks.text, in: range)
            while tags.next() { add(tags, lines: lines, &headings) }
        }
        links.sort { $0.line < $1.line }
        for index in links.indices {
            // Of several definitions with the same label, the first counts.
            guard let label = links[index].unusedLabel, usedLabels.remove(label) != nil else { continue }
            links[index].unusedLabel = nil
        }
        // Of several headings with the same text, all but the first have numbers.
        var slugs = Slugs()
        for heading in headings.sorted(by: { $0.offset < $1.offset }) {
            anchors.insert(slugs.slug(for: heading.text))
            if let anchor = heading.anchor { anchors.insert(anchor) }
        }
    }

    init(markdown text: String) { self.init(markdown: Bytes(text.utf8)) }

    /// Returns the labels of the definitions in a text.
    private static func labels(of blocks: MarkdownBlocks) -> Set<String> {
        let paragraphs = blocks.paragraphs + blocks.headings.filter(\.isParagraph).map(\.range)
        return Set(
            paragraphs.flatMap { range in
                var inlines = MarkdownInlines(blocks.text, in: range)
                return inlines.readDefinitions()
            })
    }

    /// Adds the links and tags of a paragraph or a heading, in their order.
    private mutating func add(_ inlines: MarkdownInlines, lines: LineNumbers, _ headings: inout [MarkdownHeading]) {
        var targets = inlines.targets.sorted { $0.offset < $1.offset }[...]
        // One scanner for all tags: that of SVG has opened it for those that follow.
        var tags = HTMLTags(inlines.text)
        for range in inlines.tags {
            while let target = targets.first, target.offset < range.lowerBound {
                links.append(Link(target: target.text, line: lines[target.offset], unusedLabel: target.label))
                targets.removeFirst()
            }
            tags.move(to: range)
            if tags.next() { add(tags, lines: lines, &headings) }
        }
        links += targets.map { Link(target: $0.text, line: lines[$0.offset], unusedLabel: $0.label) }
    }

    /// Adds a tag, and the heading that it starts.
    private mutating func add(_ tags: HTMLTags, lines: LineNumbers, _ headings: inout [MarkdownHeading]) {
        add(tags, lines: lines)
        if let heading = MarkdownHeading(tags) { headings.append(heading) }
    }
}
