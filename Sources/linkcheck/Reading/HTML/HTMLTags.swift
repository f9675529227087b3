// HTMLTags: finds the tags of an HTML or XML text as a browser's tokenizer does, which never goes back.

/// A start tag or an end tag. The text that its ranges refer to is that of the scanner.
struct HTMLTag {
    struct Attribute {
        let name: Range<Int>
        let value: Range<Int>
    }

    var range = 0..<0
    var name = 0..<0
    var attributes: [Attribute] = []
    /// Whether it ends with `/>`.
    var isClosed = false

    /// Returns the range of the value of an attribute, or nil if there is none. Of several attributes with the same
    /// name, the first counts. `name` must be in lower case.
    func range(of name: StaticString, in bytes: Bytes) -> Range<Int>? {
        for attribute in attributes where bytes.has(name, in: attribute.name) { return attribute.value }
        return nil
    }
}

/// Finds the start tags of a text one after the other. It skips comments and the contents of scripts and similar
/// elements.
///
/// - Complexity: O(*n*) in the length of the text. A tag that is never closed ends the scan, as in HTML.
struct HTMLTags {
    enum Syntax { case html, xml }

    let bytes: Bytes
    let syntax: Syntax
    /// The tag that `next()` has found.
    private(set) var tag = HTMLTag()
    /// Whether the tag is one of XML, or of SVG or MathML in HTML.
    private(set) var isForeign = false
    /// The content of the `style` element that the tag starts, or nil.
    var style: Range<Int>?
    var position: Int
    private(set) var end: Int
    private var foreign = ForeignContent()
    /// The prefix of XLink's attributes in XML, if it is another one than `xlink`.
    private var prefix: Range<Int>?

    /// Creates a scanner of the tags in a range of the text, or in all of it.
    init(_ bytes: Bytes, in range: Range<Int>? = nil, syntax: Syntax = .html) {
        self.bytes = bytes
        self.syntax = syntax
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// Continues with another range of the text, in the SVG or MathML that the tags so far have opened.
    mutating func move(to range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Finds the next start tag, and returns whether there is one.
    mutating func next() -> Bool {
        style = nil
        while position < end {
            guard bytes[position] == "<" else {
                position += 1
                continue
            }
            let start = position
            position += 1
            guard position < end else { return false }
            switch bytes[position] {
            case "!", "?": skipMarkup()
            case "/" where position + 1 < end && bytes[position + 1].isLetter:
                // An end tag may have attributes, too, the values of which contain `>`.
                guard readTag(from: position) else { return false }
                if syntax == .html { foreign.end(tag, in: bytes) }
            case "/":
                position = bytes.skip(from: position, to: end) { $0 != ">" }
            case let byte where byte.isLetter:
                guard readTag(from: start) else { return false }
                if syntax == .xml { notePrefix() }
                isForeign = syntax == .xml || foreign.begin(tag, in: bytes)
                skipContent()
                return true
            default:
                continue
            }
        }
        return false
    }

    /// Whether `<![CDATA[` starts text here, rather than a comment that is malformed.
    var hasCharacterData: Bool { syntax == .xml || foreign.isOpen }

    private mutating func notePrefix() {
        for attribute in tag.attributes where bytes.has("xmlns:", at: attribute.name.lowerBound) {
            guard bytes.has("http://www.w3.org/1999/xlink", in: attribute.value) else { continue }
            prefix = attribute.name.dropFirst(6)
        }
    }

    /// Reads the tag whose name is behind an offset, and returns whether it is closed.
    private mutating func readTag(from start: Int) -> Bool {
        tag.attributes.removeAll(keepingCapacity: true)
        var index = bytes.skip(from: start + 1, to: end) { !$0.isSpace && $0 != ">" && $0 != "/" }
        tag.name = start + 1..<index
        while true {
            let gap = index
            index = bytes.skip(from: index, to: end) { $0.isSpace || $0 == "/" }
            guard index < end else { break }
            if bytes[index] == ">" {
                tag.isClosed = index > gap && bytes[index - 1] == "/"
                tag.range = start..<index + 1
                position = index + 1
                return true
            }
            guard let after = readAttribute(from: index) else { break }
            index = after
        }
        position = end
        return false
    }

    /// Reads one attribute, and returns the offset after it, or nil if its value is not closed.
    private mutating func readAttribute(from start: Int) -> Int? {
        // The first byte always belongs to the name, even if it is "=", so that each attribute makes progress.
        let nameEnd = bytes.skip(from: start + 1, to: end) { !$0.isSpace && $0 != ">" && $0 != "/" && $0 != "=" }
        let equals = bytes.skip(from: nameEnd, to: end) { $0.isSpace }
        guard equals < end, bytes[equals] == "=" else {
            tag.attributes.append(HTMLTag.Attribute(name: start..<nameEnd, value: nameEnd..<nameEnd))
            return nameEnd
        }
        let first = bytes.skip(from: equals + 1, to: end) { $0.isSpace }
        guard first < end else { return nil }
        let quote = bytes[first]
        let isQuoted = quote == "\"" || quote == "'"
        let valueStart = isQuoted ? first + 1 : first
        let valueEnd = bytes.skip(from: valueStart, to: end) {
            isQuoted ? $0 != quote : !$0.isSpace && $0 != ">"
        }
        guard valueEnd < end || !isQuoted else { return nil }
        tag.attributes.append(HTMLTag.Attribute(name: start..<nameEnd, value: valueStart..<valueEnd))
        return isQuoted ? valueEnd + 1 : valueEnd
    }
}

extension HTMLTags {
    /// Returns the range of the value of the tag's attribute, or nil if there is none. `name` must be in lower case.
    func range(of name: StaticString) -> Range<Int>? { tag.range(of: name, in: bytes) }

    /// Returns the decoded value of the tag's attribute, or nil if there is none.
    func value(of name: StaticString) -> String? { range(of: name).map(text) }

    /// The address that an element of SVG refers to, or nil.
    var reference: Range<Int>? {
        if let address = range(of: "href") ?? range(of: "xlink:href") { return address }
        guard let prefix else { return nil }
        let length = prefix.count
        let attribute = tag.attributes.first {
            bytes.isSame(prefix, $0.name.prefix(length)) && bytes.has(":href", in: $0.name.dropFirst(length))
        }
        return attribute?.value
    }

    /// Returns the decoded value of an attribute.
    func text(_ value: Range<Int>) -> String {
        bytes.decodingEntities(in: value, as: syntax == .html ? .html : .strict)
    }

    /// Returns whether the tag has this name, which must be in lower case.
    func isTag(_ name: StaticString) -> Bool { bytes.has(name, in: tag.name) }
}
