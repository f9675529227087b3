// SourceSet: the addresses in `small.png 480w, large.png 2x`.

enum SourceSet {
    /// Returns the addresses in the value of a `srcset` attribute. An address ends at whitespace. It may contain
    /// commas, but not start or end with one. Commas in the parentheses of a descriptor do not separate.
    static func targets(in set: String) -> [String] {
        let bytes = Bytes(set.utf8)
        var targets: [String] = []
        var index = 0
        while true {
            index = bytes.skip(from: index) { $0.isSpace || $0 == "," }
            guard index < bytes.count else { return targets }
            let start = index
            index = bytes.skip(from: index) { !$0.isSpace }
            var end = index
            while end > start, bytes[end - 1] == "," { end -= 1 }
            targets.append(bytes.text(start..<end))
            guard end == index else { continue }
            var depth = 0
            index = bytes.skip(from: index) { byte in
                depth += byte == "(" ? 1 : byte == ")" ? -1 : 0
                return byte != "," || depth > 0
            }
        }
    }
}
