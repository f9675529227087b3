// Entities: decodes `&amp;`, `&#38;` and `&#x26;`.

/// How entities are written.
enum EntitySyntax {
    /// As in HTML's attributes: the semicolon of numbers may be missing, and that of some names, unless more letters,
    /// digits or `=` follow, as in `?a=1&copy=2`.
    case html
    /// As in Markdown and XML: with a semicolon.
    case strict
}

extension Bytes {
    /// Returns the text of a range with its HTML entities decoded. Unknown entities remain as written.
    ///
    /// - Complexity: O(*n*) in the length of the range.
    func decodingEntities(in range: Range<Int>, as syntax: EntitySyntax) -> String {
        guard var entity = self[range].firstIndex(of: "&") else { return text(range) }
        var decoded = ""
        var start = range.lowerBound
        while entity < range.upperBound {
            if let (character, end) = self.entity(at: entity, to: range.upperBound, syntax) {
                decoded += text(start..<entity) + character
                start = end
            }
            let next = Swift.max(start, entity + 1)
            entity = self[next..<range.upperBound].firstIndex(of: "&") ?? range.upperBound
        }
        return decoded + text(start..<range.upperBound)
    }

    /// Returns the text of the entity at an `&`, and the offset after it, or nil if there is none.
    private func entity(at start: Int, to end: Int, _ syntax: EntitySyntax) -> (text: String, end: Int)? {
        let first = start + 1
        if first < end, self[first] == "#" { return number(at: first + 1, to: end, syntax) }
        let limit = Swift.min(first + EntityNames.maxLength, end)
        let last = skip(from: first, to: limit) { $0.isLetter || $0.isDigit }
        if last < end, self[last] == ";", let text = EntityNames.text(named: text(first..<last)) {
            return (text, last + 1)
        }
        guard syntax == .html else { return nil }
        for after in stride(from: Swift.min(first + 6, last), to: first + 1, by: -1) {
            let name = text(first..<after)
            guard EntityNames.unterminated.contains(name) else { continue }
            let isPartOfName = after < end && (self[after].isLetter || self[after].isDigit || self[after] == "=")
            return isPartOfName ? nil : EntityNames.text(named: name).map { ($0, after) }
        }
        return nil
    }

    /// Returns the character whose number is at an offset behind `&#`, and the offset after it.
    private func number(at start: Int, to end: Int, _ syntax: EntitySyntax) -> (text: String, end: Int)? {
        let isHex = start < end && self[start] | 0x20 == "x"
        let first = isHex ? start + 1 : start
        let last = skip(from: first, to: end) { isHex ? $0.isHexDigit : $0.isDigit }
        let isTerminated = last < end && self[last] == ";"
        guard last > first, isTerminated || syntax == .html else { return nil }
        // CommonMark has no longer numbers, which are text there.
        guard syntax == .html || last - first <= (isHex ? 6 : 7) else { return nil }
        let number = UInt32(text(first..<last), radix: isHex ? 16 : 10) ?? .max
        return (Self.character(number, syntax), isTerminated ? last + 1 : last)
    }

    /// Returns the character with a number, or the replacement character if there is none.
    private static func character(_ number: UInt32, _ syntax: EntitySyntax) -> String {
        let isControl = syntax == .html && (0x80...0x9F).contains(number)
        let scalar = isControl ? windowsCharacters[Int(number) - 0x80] : number
        return String(Character(Unicode.Scalar(scalar == 0 ? 0xFFFD : scalar) ?? "\u{FFFD}"))
    }

    /// The characters that browsers read for the control characters from 80 to 9F, as Windows did.
    private static let windowsCharacters: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
