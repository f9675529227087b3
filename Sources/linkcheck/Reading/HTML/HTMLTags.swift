// HTMLTags: finds the tags of an HTML text, as tolerantly as a browser does.

/// A start tag with its attributes. Of several attributes with the same name, the first counts, as in browsers.
struct HTMLTag {
    let name: String
    let attributes: [String: HTMLAttribute]
    let range: Range<Int>
}

struct HTMLAttribute {
    let value: String
    let offset: Int
}

/// The sequence of the start tags of a text. Comments and the contents of scripts and similar elements are skipped.
struct HTMLTags: Sequence, IteratorProtocol {
    private let bytes: Bytes
    private let skipsRawText: Bool
    /// The offset of the last ">", after which no tag can start. Without it, text full of "<" would be scanned to its
    /// end again and again.
    private let end: Int
    private var position = 0

    /// Creates the sequence of the tags of a text. Markdown sets `skipsRawText` to false, so that "<script>" in a
    /// sentence does not hide the rest of the text.
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

    /// Skips the content of elements that contain no markup.
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

    /// Returns the tag that starts at a `<`, or nil if the tag is not closed and is therefore text.
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
            // The first byte always belongs to the name, even if it is "=", so that each iteration makes progress.
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

    /// Returns the range of an attribute's value, quoted or not, and the offset after it. Returns nil if the value is
    /// not closed.
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
