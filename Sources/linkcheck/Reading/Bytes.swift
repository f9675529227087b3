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
    var isSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" || self == 0x0C }

    var isLetter: Bool { ("a"..."z").contains(self | 0x20) }

    var isDigit: Bool { ("0"..."9").contains(self) }
}

extension Bytes {
    /// Returns the index of the first occurrence of `text` at or after `start`, or nil if there is none.
    func firstIndex(of text: String, from start: Int) -> Int? {
        let pattern = Bytes(text.utf8)
        guard let first = pattern.first, start + pattern.count <= count else { return nil }
        for index in start...(count - pattern.count)
        where self[index] == first && self[index..<index + pattern.count].elementsEqual(pattern) {
            return index
        }
        return nil
    }

    /// Returns whether the bytes at `index` are `text`, ignoring case. `text` must be in lower case.
    func has(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { pattern in
            pattern.indices.allSatisfy { offset in
                let byte = self[index + offset]
                return byte == pattern[offset] || (byte.isLetter && byte | 0x20 == pattern[offset])
            }
        }
    }

    /// Returns the first index at or after `start` whose byte does not satisfy `condition`, or the end.
    func skip(from start: Int, while condition: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count, condition(self[index]) { index += 1 }
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

/// The line numbers of offsets, starting with 1.
struct LineNumbers {
    private let starts: [Int]

    init(of bytes: Bytes) {
        starts = [0] + bytes.indices.filter { bytes[$0] == "\n" }.map { $0 + 1 }
    }

    subscript(offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }
}
