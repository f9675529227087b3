// Document+Sitemap: the addresses in a sitemap, or in an index of sitemaps.

extension Document {
    /// Parses the `loc` elements of an XML text. Other XML has no links.
    init(sitemap bytes: Bytes) {
        self.init(kind: .sitemap)
        let lines = LineNumbers(of: bytes)
        var tags = HTMLTags(bytes, syntax: .xml)
        while tags.next() {
            guard tags.isTag("loc") || tags.isTag("image:loc") else { continue }
            let start = bytes.skip(from: tags.tag.range.upperBound) { $0.isSpace }
            let address = Self.content(of: bytes, from: start).trimmed
            if !address.isEmpty { links.append(Link(target: address, line: lines[start])) }
        }
    }

    /// Returns the text of an element, with its entities decoded, or its character data as it is.
    private static func content(of bytes: Bytes, from start: Int) -> String {
        if bytes.has("<![cdata[", at: start) {
            let close = bytes.firstIndex(of: "]]>", in: start..<bytes.count)
            return bytes.text(start + 9..<(close ?? bytes.count))
        }
        return bytes.decodingEntities(in: start..<bytes.skip(from: start) { $0 != "<" }, as: .strict)
    }
}
