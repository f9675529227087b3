// Documents and compressed bodies: any bytes are a document, and none is larger than its limit.

import Foundation

/// The first byte is the kind, the second the declared encoding.
func fuzzDocuments(_ input: FuzzInput) {
    var input = input
    let kind = input.choice(of: [DocumentKind.html, .markdown, .css, .svg, .sitemap, .xhtml])
    let charset = input.choice(of: [nil, "utf-8", "utf-16le", "utf-16be", "iso-8859-1", "windows-1252", "unknown"])
    let bytes = input.bytes
    let document = Document(bytes, kind: kind, charset: charset)
    // An encoding of two bytes has as many line breaks at most.
    let lineCount = 1 + bytes.count { $0 == "\n" || $0 == "\r" }
    for link in document.links {
        require((1...lineCount).contains(link.line), "line \(link.line) of \(lineCount)")
        _ = LinkTarget(link.target, on: webPage)
    }
    for anchor in document.anchors {
        require(document.hasAnchor(anchor), "the anchor \(anchor) is not found")
    }
    let again = Document(bytes, kind: kind, charset: charset)
    require(again == document, "two readings differ")
}

let webPage = URL(string: "http://a.example/folder/page.html?query")!
let filePage = URL(filePath: "/folder/page.md")

/// The first byte is the limit. The rest is decompressed, and packed without compression and unpacked.
func fuzzCompression(_ input: FuzzInput) {
    var input = input
    let limit = input.choice() * 64
    let bytes = input.bytes
    do {
        let output = try Inflate.decode(bytes, limit: limit)
        require(output.count <= limit, "\(output.count) bytes of \(limit)")
        let other = try Inflate.decode(bytes, limit: limit + 1)
        require(other == output, "a larger limit gives another output")
    } catch {
        guard case let failure as Inflate.Failure = error, failure.isTooLarge else { return }
        // Whether it is malformed or not, it is larger than a smaller limit, too.
        require(throws: { try Inflate.decode(bytes, limit: limit / 2) }, "a smaller limit accepts it")
    }
    roundTrip(bytes)
}

private func require<T>(throws body: () throws -> T, _ message: String) {
    require((try? body()) == nil, message)
}

/// Stored blocks of deflate are plain bytes behind their lengths (RFC 1951, 3.2.4).
private func roundTrip(_ bytes: Bytes) {
    let count = min(bytes.count, 0xFFFF)
    let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
    // With the header of gzip: without one, the first bytes may look like those of zlib.
    let packed: Bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, low, high, ~low, ~high] + bytes[..<count]
    require((try? Inflate.decode(packed, limit: count)) == Bytes(bytes[..<count]), "stored bytes are not the same")
}
