// URL+Address: normalizes and classifies addresses.

import Foundation

extension URL {
    /// The normalized address, for requests and comparisons: lower-case scheme and host, no default port, user or
    /// fragment, a path that is not empty and has no `..`. Nil if the URL is not a valid address on the web.
    var address: URL? {
        guard var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.percentEncodedHost, !host.isEmpty, (0...65535).contains(parts.port ?? 80)
        else { return nil }
        parts.scheme = scheme
        parts.percentEncodedHost = host.lowercased()
        if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
        parts.percentEncodedPath =
            parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath.removingDotSegments
        parts.fragment = nil
        // Secrets, which reports must not contain.
        parts.user = nil
        parts.password = nil
        return parts.url
    }

    /// The path of a file, or the address of anything else.
    var name: String { isFileURL ? path(percentEncoded: false) : absoluteString }

    /// Whether the address is probably one of a page, rather than of an image or an archive, judging by its extension.
    var looksLikePage: Bool {
        ["", "html", "htm", "xhtml", "md", "php", "asp", "aspx", "jsp"].contains(pathExtension.lowercased())
    }

    /// Returns the URL of a file, normalized so that equivalent paths have the same URL.
    static func file(_ path: String) -> URL {
        URL(filePath: FilePath.normal(path), directoryHint: .notDirectory)
    }
}

extension String {
    /// The text with the user and the password of each address masked: `http://***@host/`.
    var withoutPasswords: String {
        let bytes = Bytes(utf8)
        guard bytes.contains("@") else { return self }
        var masked = Bytes()
        var index = 0
        while let slashes = bytes.firstIndex(of: "//", in: index..<bytes.count) {
            masked += bytes[index..<slashes + 2]
            index = slashes + 2
            let end = bytes.skip(from: index) { $0 != "/" && $0 != "?" && $0 != "#" && !$0.isSpace && $0 != "\"" }
            guard let mark = bytes[index..<end].lastIndex(of: "@") else { continue }
            masked += Bytes("***".utf8)
            index = mark
        }
        masked += bytes[index...]
        return masked.text(masked.indices)
    }
}
