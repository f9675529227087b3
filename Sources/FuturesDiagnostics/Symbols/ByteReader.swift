// ByteReader: numbers and texts in bytes, as object files have them.

/// Reads numbers and texts one after the other, and only forwards. What is behind the end reads as 0: so a damaged file
/// is no danger, and reading it has an end.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    let end: Int

    /// Makes a reader from `offset` up to `end`, or the end of the bytes.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int, end: Int = .max) {
        self.bytes = bytes
        self.end = min(end, bytes.count)
        self.offset = offset < 0 ? self.end : min(offset, self.end)
    }

    var isAtEnd: Bool { offset >= end }

    /// Skips `count` bytes, or the rest if that is shorter.
    mutating func skip(_ count: Int) { offset = count < 0 || count > end - offset ? end : offset + count }

    mutating func byte() -> UInt8 {
        guard offset < end else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A number of a fixed size, the lower byte first.
    mutating func number<T: FixedWidthInteger>(_ type: T.Type) -> Int {
        defer { skip(MemoryLayout<T>.size) }
        guard MemoryLayout<T>.size <= end - offset else { return 0 }
        return Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// A number in the format LEB128, without a sign: seven bits a byte, the lowest first.
    mutating func unsigned() -> Int { leb128().value }

    /// A number in the format LEB128, with a sign.
    mutating func signed() -> Int {
        let (value, bits) = leb128()
        // The highest bit that was read is the sign.
        return bits < 64 && value >> (bits - 1) & 1 == 1 ? value | -1 << bits : value
    }

    private mutating func leb128() -> (value: Int, bits: Int) {
        var (value, bits) = (0, 0)
        while true {
            let byte = byte()
            if bits < 64 { value |= Int(byte & 0x7F) << bits }
            bits += 7
            if byte & 0x80 == 0 { return (value, bits) }
        }
    }

    /// The text from here up to a zero.
    var text: String { String(decoding: bytes[offset..<end].prefix { $0 != 0 }, as: UTF8.self) }

    /// Skips a text, and returns where it starts.
    mutating func skipText() -> Int {
        let start = offset
        while byte() != 0 {}
        return start
    }
}
