// LinkTarget: what a link means on the page where it stands.

import Foundation

/// What to check about a link.
enum LinkTarget: Hashable, Sendable {
    /// Something to request, without its fragment.
    case web(URL, fragment: String?)
    /// A file or folder at the first of these places where there is one.
    case file([URL], fragment: String?)
    /// Nothing that a program could check: a mail address, a telephone number, inline data.
    case skipped
    /// Nothing that anybody could follow, and why.
    case unusable(String)

    /// Reads a link's text as it stands on a page, on the web or in a file.
    ///
    /// - Parameter roots: the folders in which a file's link to `/…` is looked for.
    init(_ text: String, on page: URL, roots: [URL] = []) {
        // As browsers do: no space around it, no line ends in it.
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
