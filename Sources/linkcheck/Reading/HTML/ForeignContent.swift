// ForeignContent: whether a tag of an HTML text belongs to SVG or MathML, where other rules hold.

/// The open elements that decide by which rules a tag is read.
///
/// In SVG and MathML, `<a/>` is closed, scripts and styles contain markup like all other elements, and `<![CDATA[` is
/// text. Some of their elements contain HTML again, and some tags of HTML end them (HTML, 13.2.6.5, "The rules for
/// parsing tokens in foreign content").
struct ForeignContent {
    private enum Element: Equatable {
        case svg, math
        /// An element of SVG or MathML that contains HTML.
        case container(Range<Int>)
    }

    private var open: [Element] = []

    /// More nested ones than this are not counted, as each end tag looks at all of them.
    private static let limit = 64

    /// Whether the next tag is one of SVG or MathML, unless it ends them.
    var isOpen: Bool { open.last == .svg || open.last == .math }

    /// Notes a start tag, and returns whether it is one of SVG or MathML.
    mutating func begin(_ tag: HTMLTag, in bytes: Bytes) -> Bool {
        if isOpen, Self.endsForeignContent(tag, in: bytes) {
            leave()
            return false
        }
        let root: Element? = bytes.has("svg", in: tag.name) ? .svg : bytes.has("math", in: tag.name) ? .math : nil
        guard isOpen || root != nil else { return false }
        guard !tag.isClosed, open.count < Self.limit else { return true }
        if let root {
            open.append(root)
        } else if Self.containsHTML(tag, in: bytes, isMath: open.last == .math) {
            open.append(.container(tag.name))
        }
        return true
    }

    /// Notes an end tag.
    mutating func end(_ tag: HTMLTag, in bytes: Bytes) {
        // An element that contains HTML is closed by its own end tag only.
        search: for index in open.indices.reversed() {
            switch open[index] {
            case .svg where bytes.has("svg", in: tag.name), .math where bytes.has("math", in: tag.name):
                return open.removeSubrange(index...)
            case .svg, .math: continue
            case .container(let name) where bytes.isSame(name, tag.name):
                return open.removeSubrange(index...)
            case .container: break search
            }
        }
        if isOpen, Self.endsForeignContent(tag, in: bytes) { leave() }
    }

    /// Ends SVG and MathML up to the element of HTML that contains them.
    private mutating func leave() {
        while isOpen { open.removeLast() }
    }

    private static func containsHTML(_ tag: HTMLTag, in bytes: Bytes, isMath: Bool) -> Bool {
        let isTag = { (name: StaticString) in bytes.has(name, in: tag.name) }
        guard isMath else { return isTag("foreignobject") || isTag("desc") || isTag("title") }
        if isTag("annotation-xml"), let encoding = tag.range(of: "encoding", in: bytes) {
            return bytes.has("text/html", in: encoding) || bytes.has("application/xhtml+xml", in: encoding)
        }
        return ["mi", "mo", "mn", "ms", "mtext"].contains(where: isTag)
    }

    /// Returns whether a tag is one that SVG and MathML do not have, so that browsers take them as ended.
    private static func endsForeignContent(_ tag: HTMLTag, in bytes: Bytes) -> Bool {
        if bytes.has("font", in: tag.name) {
            return ["color", "face", "size"].contains { tag.range(of: $0, in: bytes) != nil }
        }
        return names.contains { bytes.has($0, in: tag.name) }
    }

    private static let names: [StaticString] = [
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2",
        "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
        "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
    ]
}
