// HTMLTags+Content: skips what is no markup: comments, and the content of scripts and similar elements.

extension HTMLTags {
    /// Skips the comment, the declaration, the instruction or the character data at the position, which is behind its
    /// `<`.
    mutating func skipMarkup() {
        if bytes.has("!--", at: position), position + 3 <= end { return skipComment() }
        if bytes.has("![cdata[", at: position), hasCharacterData { return skip(to: "]]>", from: position + 8) }
        if bytes[position] == "?", syntax == .xml { return skip(to: "?>", from: position + 1) }
        position = bytes.skip(from: position, to: end) { $0 != ">" }
    }

    private mutating func skip(to mark: StaticString, from start: Int) {
        position = bytes.firstIndex(of: mark, in: min(start, end)..<end).map { $0 + mark.utf8CodeUnitCount } ?? end
    }

    private mutating func skipComment() {
        guard syntax == .html else { return skip(to: "-->", from: position + 3) }
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

    /// Skips the content of the element that the tag starts, if that is no markup.
    mutating func skipContent() {
        if isForeign {
            if isTag("style"), !tag.isClosed { readForeignStyle() }
        } else if isTag("plaintext") {
            // It is never closed.
            position = end
        } else if isTag("script") {
            skipScript(named: tag.name)
        } else if Self.rawNames.contains(where: isTag) {
            skipRawText()
        }
    }

    private static let rawNames: [StaticString] = [
        "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
    ]

    private mutating func skipRawText() {
        let start = position
        position = end
        var index = start
        while let close = bytes.firstIndex(of: "</", in: index..<end) {
            index = close + 2
            guard isTag(tag.name, at: index) else { continue }
            position = close
            break
        }
        if isTag("style") { style = start..<position }
    }

    /// Reads a style sheet in SVG, which is text and character data up to the next tag.
    private mutating func readForeignStyle() {
        let start = position
        while position < end {
            position = bytes.skip(from: position, to: end) { $0 != "<" }
            guard position + 1 < end, bytes[position + 1] == "!" else { break }
            position += 1
            skipMarkup()
        }
        style = start..<min(position, end)
    }

    /// Skips the content of a script. Behind `<!--`, it may contain the tags of another script, the end of which is not
    /// its own (HTML's "script data double escaped state").
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
                guard isNested else { return }
                position += 2
                isNested = false
            default: position += 1
            }
        }
        position = end
    }

    /// Returns whether the name of a tag, in any case, stands at an offset, and ends there.
    private func isTag(_ name: Range<Int>, at start: Int) -> Bool {
        let after = start + name.count
        guard after < end, bytes.isSame(name, start..<after) else { return false }
        return bytes[after].isSpace || bytes[after] == ">" || bytes[after] == "/"
    }
}
