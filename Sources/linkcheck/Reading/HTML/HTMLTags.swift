// HTMLTags: finds the tags of an HTML text, as tolerantly as a browser does.

/// A start tag with its attributes. Of two attributes with one name the first counts, as in browsers.
struct HTMLTag {
    let name: String
    let attributes: [String: HTMLAttribute]
    let range: Range<Int>
}

struct HTMLAttribute {
    let value: String
    let offset: Int
}

/// The start tags of a text, one after the other. Comments, scripts and the like are passed over.
struct HTMLTags: Sequence, IteratorProtocol {
    private let bytes: Bytes
    private let skipsRawText: Bool
    /// No tag starts behind the last ">". Knowing it keeps junk full of "<" from being read over and over.
    private let end: Int
    private var position = 0

    /// Markdown sets `skipsRawText` to false: there "<script>" in a sentence does not swallow the rest.
    init(_ bytes: Bytes, skipsRawText: Bool = true) {
        self.bytes = bytes
        self.skipsRawText = skipsRawText
        end = bytes.lastIndex(of: ">") ?? 0
    }

    mutating func next() -> HTMLTag? {
        while position < end, let start = bytes[position..<end].firstIndex(of: "<") {
            position = start + 1
            switch bytes[position] {
            case "!" where bytes.has("!--", at: position):
                skip(past: "-->")
            case "!", "?", "/":
                skip(past: ">")
            case let byte where byte.isLetter:
                guard let tag = tag(from: start) else { continue }
                position = tag.range.upperBound
                if skipsRawText { skipRawText(of: tag.name) }
                return tag
            default:
                continue
            }
        }
        return nil
    }
}

extension HTMLTags {
    private mutating func skip(past end: String) {
        position = bytes.firstIndex(of: end, from: position).map { $0 + end.utf8.count } ?? bytes.count
    }

    /// What stands in these elements is no markup.
    private mutating func skipRawText(of name: String) {
        guard ["script", "style", "textarea", "title", "xmp"].contains(name) else { return }
        var index = position
        while let end = bytes.firstIndex(of: "</", from: index) {
            let after = bytes.skip(from: end + 2) { $0.isLetter }
            if bytes.text(end + 2..<after).lowercased() == name {
                position = after
                return
            }
            index = end + 2
        }
        position = bytes.count
    }

    /// The tag that starts at a `<`, or nil if nothing closes it: then it is text.
    private func tag(from start: Int) -> HTMLTag? {
        var index = bytes.skip(from: start + 1) { !$0.isSpace && $0 != ">" && $0 != "/" }
        let name = bytes.text(start + 1..<index).lowercased()
        var attributes: [String: HTMLAttribute] = [:]
        while true {
            index = bytes.skip(from: index) { $0.isSpace || $0 == "/" }
            guard index < bytes.count else { return nil }
            if bytes[index] == ">" {
                return HTMLTag(name: name, attributes: attributes, range: start..<index + 1)
            }
            let nameStart = index
            // The first byte belongs to the name whatever it is, "=" too: so each turn moves on.
            index = bytes.skip(from: index + 1) { !$0.isSpace && $0 != ">" && $0 != "/" && $0 != "=" }
            let attribute = bytes.text(nameStart..<index).lowercased()
            let equals = bytes.skip(from: index) { $0.isSpace }
            guard equals < bytes.count, bytes[equals] == "=" else {
                attributes[attribute] = attributes[attribute] ?? HTMLAttribute(value: "", offset: nameStart)
                continue
            }
            guard let value = value(from: equals + 1) else { return nil }
            index = value.end
            let decoded = bytes.text(value.range).decodingHTMLEntities()
            attributes[attribute] =
                attributes[attribute] ?? HTMLAttribute(value: decoded, offset: value.range.lowerBound)
        }
    }

    /// An attribute's value, quoted or not, and where the reading goes on.
    private func value(from start: Int) -> (range: Range<Int>, end: Int)? {
        let index = bytes.skip(from: start) { $0.isSpace }
        guard index < bytes.count else { return nil }
        let quote = bytes[index]
        if quote == "\"" || quote == "'" {
            guard let end = bytes[(index + 1)...].firstIndex(of: quote) else { return nil }
            return (index + 1..<end, end + 1)
        }
        let end = bytes.skip(from: index) { !$0.isSpace && $0 != ">" }
        return (index..<end, end)
    }
}
