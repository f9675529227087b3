// Bytes: helpers for scanning text as UTF-8 bytes.

typealias Bytes = [UInt8]

/// Allows scanners to write `byte == "<"`.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// Creates the byte of a character.
    ///
    /// - Precondition: The character is an ASCII character.
    public init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        self.init(ascii: scalar)
    }
}

extension UInt8 {
    var isSpace: Bool { self == " " || (self >= 0x09 && self <= 0x0D && self != 0x0B) }

    var isLetter: Bool { self | 0x20 >= "a" && self | 0x20 <= "z" }

    var isDigit: Bool { self >= "0" && self <= "9" }

    var isHexDigit: Bool { isDigit || (self | 0x20 >= "a" && self | 0x20 <= "f") }

    /// Whether this is a letter, a digit or an underscore, or a part of a character beyond ASCII.
    var isWordPart: Bool { isLetter || isDigit || self == "_" || self >= 0x80 }

    var isPunctuation: Bool { self > " " && self < 0x7F && !isLetter && !isDigit }

    /// The byte in lower case if it is an ASCII letter.
    var lowercased: UInt8 { self >= "A" && self <= "Z" ? self | 0x20 : self }
}

extension Bytes {
    /// Returns the index of the first occurrence of `text` within `range`, or nil if there is none.
    func firstIndex(of text: StaticString, in range: Range<Int>) -> Int? {
        text.withUTF8Buffer { pattern in
            var index = range.lowerBound
            while index + pattern.count <= range.upperBound {
                var matched = 0
                while matched < pattern.count, self[index + matched] == pattern[matched] { matched += 1 }
                if matched == pattern.count { return index }
                index += 1
            }
            return nil
        }
    }

    /// Returns whether the bytes at `index` are `text`, ignoring case. `text` must be in lower case.
    func has(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { pattern in
            for offset in pattern.indices where self[index + offset].lowercased != pattern[offset] { return false }
            return true
        }
    }

    /// Returns whether `range` contains exactly `text`, ignoring case. `text` must be in lower case.
    func has(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && has(text, at: range.lowerBound)
    }

    /// Returns whether two ranges contain the same text, ignoring case.
    func isSame(_ range: Range<Int>, _ other: Range<Int>) -> Bool {
        range.count == other.count && zip(self[range], self[other]).allSatisfy { $0.lowercased == $1.lowercased }
    }

    /// Returns the first index at or after `start` whose byte does not satisfy `condition`, or the end.
    func skip(from start: Int, to end: Int? = nil, while condition: (UInt8) -> Bool) -> Int {
        let end = end ?? count
        var index = start
        while index < end, condition(self[index]) { index += 1 }
        return index
    }

    /// Overwrites a range with spaces, except for line breaks. All other bytes keep their offsets and lines.
    mutating func blank(_ range: Range<Int>) {
        for index in range where self[index] != "\n" { self[index] = " " }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: self[range], as: UTF8.self)
    }
}

extension String {
    /// The text without surrounding spaces, tabs and line breaks. Other whitespace, such as no-break spaces, is text.
    var trimmed: String {
        let isSpace = { (byte: UInt8?) in byte.map { $0 == " " || ($0 >= 0x09 && $0 <= 0x0D) } ?? false }
        let bytes = utf8
        guard isSpace(bytes.first) || isSpace(bytes.last) else { return self }
        let start = bytes.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...end]))
    }
}
