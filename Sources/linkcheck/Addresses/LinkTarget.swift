// LinkTarget: the target of a link, resolved on the page that contains the link.

import Foundation

/// The resolved target of a link.
enum LinkTarget: Hashable, Sendable {
    /// An address to request, without its fragment.
    case web(URL, fragment: String?)
    /// The path of a file or folder: the first of these that exists.
    case file([String], fragment: String?)
    /// A target that is not checked: a mail address, a telephone number, inline data, or an unknown scheme.
    case ignored
    /// A target that cannot be followed, with the reason.
    case unusable(String)

    /// Resolves a link.
    ///
    /// - Parameters:
    ///   - text: The target as written.
    ///   - base: What it is relative to.
    init(_ text: String, on base: LinkBase) {
        // Like browsers: without surrounding whitespace, and without any line breaks and tabs.
        let plain = text.trimmed.withoutLineBreaks
        let isFile = base.page.isFileURL
        let scheme = Self.scheme(of: plain)
        // A backslash in a path is a slash where the scheme is one that is checked.
        let text = scheme == nil || ["http", "https", "file"].contains(scheme) ? plain.withoutBackslashes : plain
        switch scheme {
        case "http", "https":
            self = Self.web(URL(string: text.percentEncoded.decodingDotSegments), on: base)
        case "file" where isFile:
            let path = text.dropFirst("file:".count)
            let hasHost = path.hasPrefix("//")
            self = Self.file(String(hasHost ? path.dropFirst(2).drop { $0 != "/" } : path), on: base, roots: [])
        case .some:
            self = .ignored
        case nil where !isFile && text.isEmpty:
            self = base.page.address.map { .web($0, fragment: nil) } ?? .unusable("not a valid address")
        case nil where !isFile:
            // A colon in the first segment must not look like the end of a scheme.
            let segment = text.utf8.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let path = segment.contains(":") ? "./" + text : text
            self = Self.web(URL(string: path.percentEncoded.decodingDotSegments, relativeTo: base.page), on: base)
        case nil where text.hasPrefix("//"):
            self = Self.web(URL(string: "https:" + text.percentEncoded.decodingDotSegments), on: base)
        case nil:
            self = Self.file(text, on: base, roots: base.roots)
        }
    }

    init(_ text: String, on page: URL) { self.init(text, on: LinkBase(page)) }
}

/// What the links of a page are relative to.
struct LinkBase: Sendable {
    /// The address of the page, on the web or of a file.
    let page: URL
    /// The folder of a page that is a file.
    fileprivate let folder: String
    /// The folders to which links to `/…` in a file are relative.
    let roots: [String]
    /// The addresses at which these folders are published, without a scheme and with a slash at the end.
    let published: [String]

    /// - Parameter isFolder: Whether `page` is a folder, and links are relative to what is in it.
    init(_ page: URL, roots: [String] = [], published: [String] = [], isFolder: Bool = false) {
        self.page = page
        self.roots = roots
        self.published = published
        let path = page.isFileURL ? page.path(percentEncoded: false) + (isFolder ? "/" : "") : ""
        folder = String(path[..<(path.utf8.lastIndex(of: "/").map(path.utf8.index(after:)) ?? path.startIndex)])
    }
}

extension LinkTarget {
    /// Returns the scheme of an address in lower case, or nil if it is relative.
    static func scheme(of text: String) -> String? {
        var length = 0
        for byte in text.utf8 {
            if byte == ":" { return length > 0 ? text.prefix(length).lowercased() : nil }
            guard byte.isLetter || (length > 0 && (byte.isDigit || byte == "+" || byte == "." || byte == "-")) else {
                return nil
            }
            length += 1
        }
        return nil
    }

    private static func web(_ url: URL?, on base: LinkBase) -> LinkTarget {
        guard let url = url?.absoluteURL, let address = url.address else {
            return .unusable("not a valid address")
        }
        let text = address.absoluteString.drop { $0 != "/" }
        for site in base.published where (text + "/").hasPrefix(site) {
            let path = "/" + text.dropFirst(site.count) + (url.fragment().map { "#" + $0 } ?? "")
            return file(path, on: base, roots: base.roots)
        }
        return .web(address, fragment: url.fragment())
    }

    /// Returns a path in its normal form, with a slash at its end if there was one and the name looks like a file's:
    /// then it leads nowhere. Without it, folders would have two forms.
    private static func normalPath(_ path: String) -> String {
        let normal = FilePath.normal(path)
        return path.utf8.last == "/" && !FilePath.fileExtension(of: normal).isEmpty ? normal + "/" : normal
    }

    private static func file(_ text: String, on base: LinkBase, roots: [String]) -> LinkTarget {
        let mark = text.utf8.firstIndex(of: "#")
        let name = text[..<(mark ?? text.endIndex)]
        let query = name.utf8.firstIndex(of: "?") ?? name.endIndex
        // GitHub shows the text of a file then, with its lines as anchors.
        let isPlain = name[query...].hasPrefix("?plain=1")
        let fragment = isPlain ? nil : mark.map { String(text[text.utf8.index(after: $0)...]) }
        let path = String(name[..<query]).decodingPercents()
        guard !path.utf8.contains(0) else { return .unusable("not a valid path") }
        if path.isEmpty { return .file([base.page.path(percentEncoded: false)], fragment: fragment) }
        guard path.utf8.first == "/" else { return .file([normalPath(base.folder + path)], fragment: fragment) }
        // Of a site in a folder of its host, links have the name of that folder.
        let folders = base.published.map { String($0.dropFirst(2).drop { $0 != "/" }) }
        let inner = folders.filter { $0 != "/" && path.hasPrefix($0) }.map { path.dropFirst($0.count - 1) }
        let paths = roots.isEmpty ? [path[...]] : inner + [path[...]]
        let places = paths.flatMap { path in roots.isEmpty ? [String(path)] : roots.map { $0 + path } }
        return .file(places.map(normalPath), fragment: fragment)
    }
}

extension String {
    /// The text with a slash for each backslash before the query and the fragment.
    fileprivate var withoutBackslashes: String {
        guard utf8.contains("\\") else { return self }
        let end = utf8.firstIndex { $0 == "?" || $0 == "#" } ?? endIndex
        return String(self[..<end]).replacing("\\", with: "/") + self[end...]
    }

    /// The text without line breaks and tabs.
    fileprivate var withoutLineBreaks: String {
        utf8.contains { $0 == "\n" || $0 == "\r" || $0 == "\t" } ? filter { !$0.isNewline && $0 != "\t" } : self
    }
}
