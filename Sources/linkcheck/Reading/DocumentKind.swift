// DocumentKind: which files and pages are read.

import Foundation

/// A kind of document that has links or anchors.
enum DocumentKind: Sendable {
    case html, xhtml, markdown, css, svg, sitemap

    /// Creates the kind of a file by its extension, or nil if the file is none of these.
    init?(of file: URL) {
        if file.path().lowercased().hasSuffix(".xml.gz") {
            self = .sitemap
        } else {
            self.init(extension: file.pathExtension)
        }
    }

    init?(extension name: String) {
        switch name.lowercased() {
        case "html", "htm": self = .html
        case "xhtml": self = .xhtml
        case "md", "markdown": self = .markdown
        case "css": self = .css
        case "svg": self = .svg
        default: return nil
        }
    }

    /// Creates the kind of a page by its Content-Type, or nil if the page is none of these.
    init?(contentType: String) {
        let type = String(contentType.prefix { $0 != ";" }).trimmed
        switch type.lowercased() {
        case "text/html": self = .html
        case "application/xhtml+xml": self = .xhtml
        case "text/markdown": self = .markdown
        case "text/css": self = .css
        case "image/svg+xml": self = .svg
        case "application/xml", "text/xml": self = .sitemap
        default: return nil
        }
    }

    /// Whether links to a fragment of the document can be checked.
    var hasAnchors: Bool { self != .css && self != .sitemap }

    /// Whether a search of a folder reads documents of this kind, also without a link to them.
    var isPage: Bool { self == .html || self == .xhtml || self == .markdown }
}
