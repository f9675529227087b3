// Document: the links and anchors of a page or a file.

import Foundation

/// What a document says that matters here, in the order in which it stands there.
struct Document: Equatable, Sendable {
    var links: [Link] = []
    var anchors: Set<String> = []
    /// The address that the document's links are relative to, if it names one (`<base href>`).
    var base: String?

    enum Kind: Sendable {
        case html, markdown

        /// The kind of a file, told by its name; nil is one without links.
        init?(of file: URL) {
            switch file.pathExtension.lowercased() {
            case "html", "htm", "xhtml": self = .html
            case "md", "markdown": self = .markdown
            default: return nil
            }
        }

        /// The kind of a page, told by its Content-Type.
        init?(contentType: String) {
            let type = String(contentType.prefix { $0 != ";" }).trimmed
            switch type.lowercased() {
            case "text/html", "application/xhtml+xml": self = .html
            case "text/markdown": self = .markdown
            default: return nil
            }
        }
    }

    /// Reads a document. Nothing is an error: what is no text has no links.
    init(_ data: Data, kind: Kind) {
        // Decoding mends what is not UTF-8.
        let text = String(decoding: data, as: UTF8.self)
        switch kind {
        case .html: self.init(html: text)
        case .markdown: self.init(markdown: text)
        }
    }

    init() {}

    /// Whether a link may end in `#fragment`.
    func hasAnchor(_ fragment: String) -> Bool {
        // Browsers know "top" without being told, and take what follows :~: as an instruction.
        let name = fragment.range(of: ":~:").map { String(fragment[..<$0.lowerBound]) } ?? fragment
        if name.isEmpty || name.lowercased() == "top" { return true }
        return anchors.contains(name) || anchors.contains(name.removingPercentEncoding ?? name)
    }
}
