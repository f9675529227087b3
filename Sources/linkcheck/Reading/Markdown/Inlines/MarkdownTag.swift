// MarkdownTag: tags in sentences.

/// A tag in a sentence, for which CommonMark has stricter rules than HTML.
enum MarkdownTag {
    /// Returns the offset after the start tag or end tag at the start of a range, or nil if there is none.
    static func end(in text: Bytes, _ range: Range<Int>) -> Int? {
        let end = range.upperBound
        let isEndTag = range.lowerBound + 1 < end && text[range.lowerBound + 1] == "/"
        let name = range.lowerBound + (isEndTag ? 2 : 1)
        guard name < end, text[name].isLetter else { return nil }
        var index = text.skip(from: name, to: end) { $0.isLetter || $0.isDigit || $0 == "-" }
        while true {
            let next = text.skip(from: index, to: end) { $0.isSpace }
            guard next < end else { return nil }
            if text[next] == ">" { return next + 1 }
            if isEndTag { return nil }
            if text[next] == "/" { return next + 1 < end && text[next + 1] == ">" ? next + 2 : nil }
            guard next > index, let after = attributeEnd(in: text, from: next, to: end) else { return nil }
            index = after
        }
    }

    private static func attributeEnd(in text: Bytes, from start: Int, to end: Int) -> Int? {
        guard text[start].isLetter || text[start] == "_" || text[start] == ":" else { return nil }
        let name = text.skip(from: start, to: end) {
            $0.isLetter || $0.isDigit || $0 == "_" || $0 == ":" || $0 == "." || $0 == "-"
        }
        let equals = text.skip(from: name, to: end) { $0.isSpace }
        guard equals < end, text[equals] == "=" else { return name }
        let value = text.skip(from: equals + 1, to: end) { $0.isSpace }
        guard value < end else { return nil }
        let quote = text[value]
        if quote == "\"" || quote == "'" {
            let close = text.skip(from: value + 1, to: end) { $0 != quote }
            return close < end ? close + 1 : nil
        }
        let last = text.skip(from: value, to: end) {
            !$0.isSpace && $0 != "\"" && $0 != "'" && $0 != "=" && $0 != "<" && $0 != ">" && $0 != "`"
        }
        return last > value ? last : nil
    }
}
