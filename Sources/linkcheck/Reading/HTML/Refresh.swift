// Refresh: the address in a `meta` element that leads to another page.

/// The page that a `meta` element leads to after a time: `5; url='next.html'`.
enum Refresh {
    /// Returns the address, or nil if the page only reloads itself.
    static func target(in content: String) -> String? {
        let bytes = Bytes(content.utf8)
        var index = bytes.skip(from: 0) { $0.isSpace }
        let number = index
        index = bytes.skip(from: index) { $0.isDigit || $0 == "." }
        guard index > number else { return nil }
        index = bytes.skip(from: index) { $0.isSpace || $0 == ";" || $0 == "," }
        if bytes.has("url", at: index) {
            let equals = bytes.skip(from: index + 3) { $0.isSpace }
            if equals < bytes.count, bytes[equals] == "=" { index = bytes.skip(from: equals + 1) { $0.isSpace } }
        }
        guard index < bytes.count else { return nil }
        let quote = bytes[index]
        guard quote == "\"" || quote == "'" else { return bytes.text(index..<bytes.count).trimmed }
        return bytes.text(index + 1..<bytes.skip(from: index + 1) { $0 != quote })
    }
}
