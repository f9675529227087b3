// MarkdownHTMLBlock: where blocks of raw HTML in Markdown start and end.

/// The kinds of HTML blocks in CommonMark.
enum MarkdownHTMLBlock {
    /// `<script>`, `<pre>`, `<style>` and `<textarea>`, up to the end tag.
    case raw
    case comment, instruction, declaration, characterData
    /// Another element of a block's kind, or a tag on a line of its own: up to a blank line.
    case element

    /// Creates the kind of the block that starts with a line, or nil if none does.
    init?(_ text: Bytes, _ line: Range<Int>, canInterrupt: Bool) {
        let start = line.lowerBound
        guard line.count >= 2, text[start] == "<" else { return nil }
        if text.has("<!--", at: start) {
            self = .comment
        } else if text[start + 1] == "?" {
            self = .instruction
        } else if text.has("<![cdata[", at: start) {
            self = .characterData
        } else if text[start + 1] == "!" {
            guard line.count >= 3, text[start + 2].isLetter else { return nil }
            self = .declaration
        } else {
            self.init(tagIn: text, line, canInterrupt: canInterrupt)
        }
    }

    private init?(tagIn text: Bytes, _ line: Range<Int>, canInterrupt: Bool) {
        let isEnd = text[line.lowerBound + 1] == "/"
        let start = line.lowerBound + (isEnd ? 2 : 1)
        let end = text.skip(from: start, to: line.upperBound) { $0.isLetter || $0.isDigit || $0 == "-" }
        guard end > start, end - start <= 20 else {
            return nil
        }
        let name = text.text(start..<end).lowercased()
        let next = end < line.upperBound ? text[end] : " "
        if !isEnd, ["script", "pre", "style", "textarea"].contains(name), next.isSpace || next == ">" {
            self = .raw
        } else if Self.blockNames.contains(name), next.isSpace || next == ">" || next == "/" {
            self = .element
        } else if canInterrupt, let end = MarkdownTag.end(in: text, line),
            text[end..<line.upperBound].allSatisfy(\.isSpace)
        {
            self = .element
        } else {
            return nil
        }
    }

    var endsBeforeBlankLine: Bool { self == .element }

    func isClosed(by text: Bytes, _ line: Range<Int>) -> Bool {
        let ends: [StaticString] =
            switch self {
            case .raw: ["</script>", "</pre>", "</style>", "</textarea>"]
            case .comment: ["-->"]
            case .instruction: ["?>"]
            case .declaration: [">"]
            case .characterData: ["]]>"]
            case .element: []
            }
        return ends.contains { end in line.contains { text.has(end, at: $0) && $0 < line.upperBound } }
    }

    private static let blockNames: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
        "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
        "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe",
        "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p",
        "param", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr",
        "track", "ul",
    ]
}
