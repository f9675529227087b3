// LinkTarget: the target of a link, resolved on the page that contains the link.

import Foundation

/// The resolved target of a link.
enum LinkTarget: Hashable, Sendable {
    /// An address to request, without its fragment.
    case web(URL, fragment: String?)
    /// A file or folder: the first of these that exists.
    case file([URL], fragment: String?)
    /// A target that cannot be checked: a mail address, a telephone number, inline data.
    case skipped
    /// A target that cannot be followed, with the reason.
    case unusable(String)

    /// Resolves a link on a page.
    ///
    /// - Parameters:
    ///   - text: The target as written.
    ///   - page: The address of the page, on the web or of a file.
    ///   - roots: The folders to which links to `/…` in a file are relative.
    init(_ text: String, on page: URL, roots: [URL] = []) {
        // Like browsers: without surrounding whitespace, and without any line breaks and tabs.
        let text = text.trimmed.filter { !$0.isNewline && $0 != "\t" }
        let scheme = text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):/).map { $0.1.lowercased() }
        switch scheme {
        case "http", "https":
            self = Self.web(URL(string: text))
        case "mailto", "tel", "sms", "data", "javascript", "blob", "about":
            self = .skipped
        case "file" where page.isFileURL:
            self = Self.file(
                String(text.dropFirst("file:".count).replacing(/^\/\/[^\/]*/, with: "")), on: page, roots: [])
        case let scheme?:
            self = .unusable("unknown scheme \(scheme):")
        case nil where !page.isFileURL && text.isEmpty:
            self = page.address.map { .web($0, fragment: nil) } ?? .unusable("not a valid address")
        case nil where !page.isFileURL:
            self = Self.web(URL(string: text, relativeTo: page))
        case nil where text.hasPrefix("//"):
            self = Self.web(URL(string: "https:" + text))
        case nil:
            self = Self.file(text, on: page, roots: roots)
        }
    }
}

extension LinkTarget {
    private static func web(_ url: URL?) -> LinkTarget {
        guard let url = url?.absoluteURL, let address = url.address else {
            return .unusable("not a valid address")
        }
        return .web(address, fragment: url.fragment())
    }

    private static func file(_ text: String, on page: URL, roots: [URL]) -> LinkTarget {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? String(parts[1]) : nil
        let encoded = parts[0].prefix { $0 != "?" }
        let path = encoded.removingPercentEncoding ?? String(encoded)
        guard !path.contains("\0") else { return .unusable("not a valid path") }
        if path.isEmpty { return .file([page.standardizedFileURL], fragment: fragment) }
        let folders = path.hasPrefix("/") ? roots : [page.deletingLastPathComponent()]
        let places = folders.map { $0.path(percentEncoded: false) + "/" + path }
        return .file((places.isEmpty ? [path] : places).map(URL.file), fragment: fragment)
    }
}
