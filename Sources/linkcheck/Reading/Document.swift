// Document: the links and anchors of a page or a file.

import Foundation

/// The links and the anchors of a document. The links are in the order of the document.
struct Document: Equatable, Sendable {
    var links: [Link] = []
    var anchors: Set<String> = []
    /// The address that the document's links are relative to, if it names one (`<base href>`).
    var base: String?
    private(set) var kind = DocumentKind.html

    /// Parses a document. Parsing never fails: what is not text is a document without links.
    ///
    /// - Parameters:
    ///   - bytes: The document's bytes.
    ///   - kind: Its kind.
    ///   - charset: The character encoding that the server has declared, if any.
    /// - Complexity: O(*n*) in the size of the document.
    init(_ bytes: Bytes, kind: DocumentKind, charset: String? = nil) {
        let bytes = Charset.decode(bytes, declared: charset, isHTML: kind == .html || kind == .xhtml)
        switch kind {
        case .html: self.init(html: bytes)
        case .xhtml, .svg: self.init(html: bytes, syntax: .xml)
        case .markdown: self.init(markdown: bytes)
        case .css: self.init(css: bytes)
        case .sitemap: self.init(sitemap: bytes)
        }
        self.kind = kind
    }

    init(kind: DocumentKind = .html) { self.kind = kind }

    /// Returns whether links with `#fragment` are valid.
    func hasAnchor(_ fragment: String) -> Bool {
        // Browsers define "top" for each page, and treat the text after :~: as a directive.
        let name = fragment.range(of: ":~:").map { String(fragment[..<$0.lowerBound]) } ?? fragment
        if name.isEmpty || name.lowercased() == "top" || anchors.contains(name) { return true }
        let decoded = name.decodingPercents()
        // GitHub's pages have the anchors of a text with this prefix. GitHub and editors ignore the case.
        let prefix = "user-content-"
        let plain = String(decoded.trimmingPrefix(prefix))
        let names = kind == .markdown ? [decoded, plain, plain.lowercased()] : [decoded, prefix + decoded]
        return names.contains(where: anchors.contains)
    }
}

extension String {
    /// Returns the text with `%20` and the like decoded, as browsers do: what is not a valid escape remains as written.
    func decodingPercents() -> String {
        guard utf8.contains("%") else { return self }
        let bytes = Bytes(utf8)
        var decoded = Bytes()
        var index = 0
        while index < bytes.count {
            if bytes[index] == "%", index + 2 < bytes.count,
                let byte = UInt8(bytes.text(index + 1..<index + 3), radix: 16),
                bytes[index + 1] != "+", bytes[index + 1] != "-"
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded.text(decoded.indices)
    }
}
