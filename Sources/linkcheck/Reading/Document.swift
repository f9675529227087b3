// Document: the links and anchors of a page or a file.

import Foundation

/// The links and the anchors of a document. The links are in the order of the document.
struct Document: Equatable, Sendable {
    var links: [Link] = []
    var anchors: Set<String> = []
    /// The address that the document's links are relative to, if it names one (`<base href>`).
    var base: String?

    enum Kind: Sendable {
        case html, markdown

        /// Creates the kind of a file by its extension, or nil if the file is neither HTML nor Markdown.
        init?(of file: URL) {
            switch file.pathExtension.lowercased() {
            case "html", "htm", "xhtml": self = .html
            case "md", "markdown": self = .markdown
            default: return nil
            }
        }

        /// Creates the kind of a page by its Content-Type, or nil if the page is neither HTML nor Markdown.
        init?(contentType: String) {
            let type = String(contentType.prefix { $0 != ";" }).trimmed
            switch type.lowercased() {
            case "text/html", "application/xhtml+xml": self = .html
            case "text/markdown": self = .markdown
            default: return nil
            }
        }
    }

    /// Parses a document. Parsing never fails: data that is not text is a document without links.
    init(_ data: Data, kind: Kind) {
        // Decoding replaces invalid UTF-8.
        let text = String(decoding: data, as: UTF8.self)
        switch kind {
        case .html: self.init(html: text)
        case .markdown: self.init(markdown: text)
        }
    }

    init() {}

    /// Returns whether links with `#fragment` are valid.
    func hasAnchor(_ fragment: String) -> Bool {
        // Browsers define "top" for each page, and treat the text after :~: as a directive.
        let name = fragment.range(of: ":~:").map { String(fragment[..<$0.lowerBound]) } ?? fragment
        if name.isEmpty || name.lowercased() == "top" { return true }
        return anchors.contains(name) || anchors.contains(name.removingPercentEncoding ?? name)
    }
}
