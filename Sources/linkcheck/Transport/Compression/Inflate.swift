// Inflate: decompresses bodies (RFC 1950, 1951, 1952). Foundation can do that on Apple's platforms only.

/// Decompresses `gzip` and `deflate` up to a limit, so that a small response cannot fill the memory.
struct Inflate {
    struct Failure: Error {
        let isTooLarge: Bool
    }

    private let input: Bytes
    private let limit: Int
    private var index = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output = Bytes()

    private init(_ input: Bytes, limit: Int) {
        self.input = input
        self.limit = limit
    }

    /// Returns the decompressed bytes.
    ///
    /// - Throws: A `Failure` if the input is malformed, or if the output is larger than the limit.
    static func decode(_ input: Bytes, limit: Int) throws(Failure) -> Bytes {
        var inflate = Inflate(input, limit: limit)
        if input.starts(with: [0x1F, 0x8B]) {
            try inflate.skipGzipHeader()
        } else if input.count >= 2, input[0] & 0x0F == 8, (Int(input[0]) << 8 | Int(input[1])) % 31 == 0 {
            inflate.index = 2
        }
        try inflate.readBlocks()
        return inflate.output
    }
}

extension Inflate {
    private static let malformed = Failure(isTooLarge: false)

    private mutating func byte() throws(Failure) -> UInt8 {
        guard index < input.count else { throw Self.malformed }
        defer { index += 1 }
        return input[index]
    }

    private mutating func skipGzipHeader() throws(Failure) {
        guard input.count >= 10, input[2] == 8 else { throw Self.malformed }
        let flags = input[3]
        index = 10
        if flags & 4 != 0 {
            let length = Int(try byte()) | Int(try byte()) << 8
            index += length
        }
        // The name and the comment, which end with a zero byte.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            while try byte() != 0 {}
        }
        if flags & 2 != 0 { index += 2 }
    }

    private mutating func take(_ count: Int) throws(Failure) -> Int {
        while bitCount < count {
            bits |= UInt32(try byte()) << UInt32(bitCount)
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func readBlocks() throws(Failure) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try readStored()
            case 1: try readCodes(Self.fixedLengths, Self.fixedDistances)
            case 2:
                let (lengths, distances) = try readTables()
                try readCodes(lengths, distances)
            default: throw Self.malformed
            }
        }
    }

    private mutating func readStored() throws(Failure) {
        (bits, bitCount) = (0, 0)
        let length = Int(try byte()) | Int(try byte()) << 8
        let complement = Int(try byte()) | Int(try byte()) << 8
        guard length ^ complement == 0xFFFF, index + length <= input.count else { throw Self.malformed }
        guard output.count + length <= limit else { throw Failure(isTooLarge: true) }
        output += input[index..<index + length]
        index += length
    }

    private mutating func readCodes(_ lengths: Huffman, _ distances: Huffman) throws(Failure) {
        while true {
            let symbol = try next(lengths)
            if symbol < 256 {
                guard output.count < limit else { throw Failure(isTooLarge: true) }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw Self.malformed }
            let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let code = try next(distances)
            guard code < 30 else { throw Self.malformed }
            let distance = Self.distanceBases[code] + (try take(Self.distanceBits[code]))
            guard distance <= output.count else { throw Self.malformed }
            guard output.count + length <= limit else { throw Failure(isTooLarge: true) }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func readTables() throws(Failure) -> (lengths: Huffman, distances: Huffman) {
        let (lengthCount, distanceCount) = (try take(5) + 257, try take(5) + 1)
        let codeCount = try take(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw Self.malformed }
        var codeLengths = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount { codeLengths[Self.codeOrder[index]] = try take(3) }
        guard let codes = Huffman(codeLengths) else { throw Self.malformed }
        var all: [Int] = []
        while all.count < lengthCount + distanceCount {
            let symbol = try next(codes)
            switch symbol {
            case 16:
                guard let last = all.last else { throw Self.malformed }
                all += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: all += [Int](repeating: 0, count: 3 + (try take(3)))
            case 18: all += [Int](repeating: 0, count: 11 + (try take(7)))
            default: all.append(symbol)
            }
        }
        guard all.count == lengthCount + distanceCount, all[256] > 0, let lengths = Huffman(Array(all[..<lengthCount])),
            let distances = Huffman(Array(all[lengthCount...]))
        else { throw Self.malformed }
        return (lengths, distances)
    }

    private mutating func next(_ codes: Huffman) throws(Failure) -> Int {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            code |= try take(1)
            let count = codes.counts[length]
            if code - count < first { return codes.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw Self.malformed
    }
}

extension Inflate {
    private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let fixedLengths = Huffman(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))!
    private static let fixedDistances = Huffman([Int](repeating: 5, count: 30))!
}
