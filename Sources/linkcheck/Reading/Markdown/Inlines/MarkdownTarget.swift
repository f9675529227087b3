// MarkdownTarget: how targets are written in Markdown.

enum MarkdownTarget {
    /// Returns the range of a target, and the offset after it. The target is `<any text>`, or else ends at whitespace
    /// or at an unbalanced closing parenthesis. Returns nil if it is malformed.
    static func destination(in text: Bytes, from start: Int, to end: Int) -> (target: Range<Int>, after: Int)? {
        guard start < end else { return nil }
        if text[start] == "<" {
            var close = start + 1
            while close < end, text[close] != ">", text[close] != "\n", text[close] != "<" {
                close += text[close] == "\\" ? 2 : 1
            }
            return close < end && text[close] == ">" ? (start + 1..<close, close + 1) : nil
        }
        var (index, depth) = (start, 0)
        while index < end, !text[index].isSpace {
            switch text[index] {
            case "\\" where index + 1 < end && text[index + 1].isPunctuation: index += 1
            case "(" where depth == 32: return nil
            case "(": depth += 1
            case ")" where depth == 0: return (start..<index, index)
            case ")": depth -= 1
            default: break
            }
            index += 1
        }
        index = min(index, end)
        return (start..<index, index)
    }

    /// Returns the text of a target, with its entities decoded and without the backslashes before punctuation. What a
    /// backslash precedes starts no entity.
    static func unescaped(_ text: Bytes, _ range: Range<Int>) -> String {
        var unescaped = ""
        var start = range.lowerBound
        var index = start
        while let slash = text[index..<range.upperBound].firstIndex(of: "\\"), slash + 1 < range.upperBound {
            index = slash + 2
            guard text[slash + 1].isPunctuation else { continue }
            let literal = text.text(slash + 1..<index)
            unescaped += text.decodingEntities(in: start..<slash, as: .strict) + literal
            start = index
        }
        return unescaped + text.decodingEntities(in: start..<range.upperBound, as: .strict)
    }

    /// Returns the offset after `<https://…>` or `<mail@address>` at the start of a range, or nil if there is none.
    static func autolinkEnd(in text: Bytes, _ range: Range<Int>) -> Int? {
        let start = range.lowerBound + 1
        let word = text.skip(from: start, to: min(start + 256, range.upperBound)) {
            $0.isLetter || $0.isDigit || "._%+-".utf8.contains($0)
        }
        guard word > start, word < range.upperBound else { return nil }
        if text[word] == ":" {
            guard (2...32).contains(word - start), text[start].isLetter else { return nil }
            let close = text.skip(from: word, to: range.upperBound) { !$0.isSpace && $0 != "<" && $0 != ">" }
            return close < range.upperBound && text[close] == ">" ? close + 1 : nil
        }
        guard text[word] == "@" else { return nil }
        let close = text.skip(from: word + 1, to: range.upperBound) {
            $0.isLetter || $0.isDigit || $0 == "." || $0 == "-"
        }
        return close > word + 1 && close < range.upperBound && text[close] == ">" ? close + 1 : nil
    }

    /// Returns the end of an address without trailing punctuation and without unbalanced closing parentheses.
    static func trimmingPunctuation(_ text: Bytes, _ range: Range<Int>) -> Int {
        var unbalanced = 0
        for byte in text[range] { unbalanced += byte == ")" ? 1 : byte == "(" ? -1 : 0 }
        var end = range.upperBound
        while end > range.lowerBound {
            switch text[end - 1] {
            case ".", ",", ":", ";", "!", "?", "'", "*", "_", "~", "]", "|": end -= 1
            case ")" where unbalanced > 0:
                unbalanced -= 1
                end -= 1
            default: return end
            }
        }
        return end
    }
}
