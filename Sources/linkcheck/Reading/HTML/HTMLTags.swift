// HTMLTags: finds the tags of an HTML text as a browser's tokenizer does, which never goes back.

/// A start tag. The text that its ranges refer to is that of the scanner.
struct HTMLTag {
    struct Attribute {
        let name: Range<Int>
        let value: Range<Int>
    }

    var range = 0..<0
    var name = 0..<0
    var attributes: [Attribute] = []
}

/// Finds the start tags of a text one after the other. It skips comments and the contents of scripts and similar
/// elements.
///
/// - Complexity: O(*n*) in the length of the text. A tag that is never closed ends the scan, as in HTML.
struct HTMLTags {
    let bytes: Bytes
    /// The tag that `next()` has found.
    private(set) var tag = HTMLTag()
    /// The content of the `style` element that the tag starts, or nil.
    private(set) var style: Range<Int>?
    private var position: Int
    private let end: Int

    /// Creates a scanner of the tags in a range of the text, or in all of it.
    init(_ bytes: Bytes, in range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// Finds the next tag, and returns whether there is one.
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
            case "!" where bytes.has("!--", at: position) && position + 3 <= end:
                skipComment()
            case "!", "?", "/":
                position = bytes.skip(from: position, to: end) { $0 != ">" }
            case let byte where byte.isLetter:
                guard readTag(from: start) else { return false }
                skipRawText()
                return true
            default:
                continue
            }
        }
        return false
    }

    /// Reads the tag that starts at a `<`, and returns whether it is closed.
    mutating func readTag(from start: Int) -> Bool {
        tag.attributes.removeAll(keepingCapacity: true)
        var index = bytes.skip(from: start + 1, to: end) { !$0.isSpace && $0 != ">" && $0 != "/" }
        tag.name = start + 1..<index
        while true {
            index = bytes.skip(from: index, to: end) { $0.isSpace || $0 == "/" }
            guard index < end else { break }
            if bytes[index] == ">" {
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
}

extension HTMLTags {
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

    private mutating func skipComment() {
        // As in HTML, `<!-->` and `<!--->` are complete comments.
        if bytes.has("!-->", at: position) { return position += 4 }
        if bytes.has("!--->", at: position) { return position += 5 }
        var index = min(position + 3, end)
        while let dashes = bytes.firstIndex(of: "--", in: index..<end) {
            // `--!>` closes it, too.
            if bytes.has("-->", at: dashes) { return position = min(dashes + 3, end) }
            if bytes.has("--!>", at: dashes) { return position = min(dashes + 4, end) }
            index = dashes + 1
        }
        position = end
    }

    /// Skips the content of elements that contain no markup.
    private mutating func skipRawText() {
        let name = tag.name
        let isStyle = bytes.has("style", in: name)
        guard
            isStyle || bytes.has("script", in: name) || bytes.has("title", in: name)
                || bytes.has("textarea", in: name) || bytes.has("xmp", in: name)
        else { return }
        if bytes.has("script", in: name) { return skipScript(named: name) }
        let start = position
        while let close = bytes.firstIndex(of: "</", in: position..<end) {
            position = close + 2
            guard isTag(name, at: position) else { continue }
            if isStyle { style = start..<close }
            return
        }
        position = end
        if isStyle { style = start..<end }
    }

    /// Skips the content of a script. Behind `<!--`, it may contain the tags of another script, the end of which is not its
    /// own (HTML's "script data double escaped state").
    private mutating func skipScript(named name: Range<Int>) {
        var (isEscaped, isNested) = (false, false)
        while position < end {
            switch bytes[position] {
            case "-" where isEscaped && bytes.has("-->", at: position):
                (isEscaped, isNested) = (false, false)
                position += 3
            case "<" where !isEscaped && bytes.has("<!--", at: position):
                isEscaped = true
                // Its dashes may be those that end it.
                position += 2
            case "<" where isEscaped && !isNested && isTag(name, at: position + 1):
                isNested = true
                position += 1 + name.count
            case "<" where bytes.has("</", at: position) && isTag(name, at: position + 2):
                position += 2
                guard isNested else { return }
                isNested = false
            default: position += 1
            }
        }
        position = end
    }

    /// Returns whether the name of a tag, in any case, stands at an offset, and ends there.
    private func isTag(_ name: Range<Int>, at start: Int) -> Bool {
        let after = start + name.count
        guard after < end, zip(bytes[name], bytes[start..<after]).allSatisfy({ $0.lowercased == $1.lowercased }) else {
            return false
        }
        return bytes[after].isSpace || bytes[after] == ">" || bytes[after] == "/"
    }
}

extension HTMLTags {
    /// Returns the range of the value of the tag's attribute, or nil if there is none. Of several attributes with the
    /// same name, the first counts. `name` must be in lower case.
    func range(of name: StaticString) -> Range<Int>? {
        for attribute in tag.attributes where bytes.has(name, in: attribute.name) { return attribute.value }
        return nil
    }

    /// Returns the decoded value of the tag's attribute, or nil if there is none.
    func value(of name: StaticString) -> String? {
        range(of: name).map { bytes.decodingEntities(in: $0) }
    }

    /// Returns whether the tag has this name, which must be in lower case.
    func isTag(_ name: StaticString) -> Bool { bytes.has(name, in: tag.name) }
}
