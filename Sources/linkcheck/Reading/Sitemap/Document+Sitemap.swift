// Document+Sitemap: the addresses in a sitemap, or in an index of sitemaps.

extension Document {
    /// Parses the `loc` elements of an XML text. Other XML has no links.
    init(sitemap bytes: Bytes) {
        self.init(kind: .sitemap)
        let lines = LineNumbers(of: bytes)
        var tags = HTMLTags(bytes)
        while tags.next() {
            guard tags.isTag("loc") || tags.isTag("image:loc") else { continue }
            let start = tags.tag.range.upperBound
            let end = bytes.skip(from: start) { $0 != "<" }
            let address = bytes.decodingEntities(in: start..<end).trimmed
            if !address.isEmpty { links.append(Link(target: address, line: lines[start])) }
        }
    }
}
