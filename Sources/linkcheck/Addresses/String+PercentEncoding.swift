// String+PercentEncoding: encodes addresses as browsers do.

extension String {
    /// The address with the characters encoded that must not stand after its host. Escapes remain as they are.
    ///
    /// Foundation's URL encodes them as well, but then encodes the escapes beside them again.
    var percentEncoded: String {
        let bytes = Bytes(utf8)
        let start = bytes.endOfHost
        let isPlain = { (index: Int) in
            bytes[index] == "%" ? bytes.isEscape(at: index) : bytes[index].isAllowedInAddress
        }
        if (start..<bytes.count).allSatisfy(isPlain) { return self }
        var encoded = Bytes(bytes[..<start])
        for index in start..<bytes.count {
            if isPlain(index) {
                encoded.append(bytes[index])
            } else {
                let digits = Bytes("0123456789ABCDEF".utf8)
                encoded += ["%", digits[Int(bytes[index] >> 4)], digits[Int(bytes[index] & 15)]]
            }
        }
        return encoded.text(encoded.indices)
    }
}

extension Bytes {
    /// The offset after the host of `http://host/path` or `//host/path`, or 0 if there is none.
    fileprivate var endOfHost: Int {
        let slashes = starts(with: Bytes("//".utf8)) ? 0 : firstIndex(of: "://", in: indices).map { $0 + 1 }
        let prefix = skip(from: 0) { $0.isLetter || $0.isDigit || $0 == "+" || $0 == "-" || $0 == "." || $0 == ":" }
        guard let slashes, slashes <= prefix else { return 0 }
        return skip(from: slashes + 2) { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// Returns whether a `%` and two hexadecimal digits stand at an offset.
    fileprivate func isEscape(at index: Int) -> Bool {
        index + 2 < count && self[index + 1].isHexDigit && self[index + 2].isHexDigit
    }
}

extension UInt8 {
    fileprivate var isAllowedInAddress: Bool {
        switch self {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]": false
        default: self > " " && self < 0x7F
        }
    }
}
