// URL+Address: addresses as they are requested, compared and told apart.

import Foundation

extension URL {
    /// The address as it is requested and compared: lower-case host, no default port, no fragment, a path. Nil if no
    /// request can be made of it.
    var address: URL? {
        guard var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.percentEncodedHost, !host.isEmpty, (0...65535).contains(parts.port ?? 80)
        else { return nil }
        parts.scheme = scheme
        parts.percentEncodedHost = host.lowercased()
        if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        parts.fragment = nil
        return parts.url
    }

    /// Whether the address is one of a page rather than of a picture or an archive, as far as its name tells.
    var looksLikePage: Bool {
        ["", "html", "htm", "xhtml", "md", "php", "asp", "aspx", "jsp"].contains(pathExtension.lowercased())
    }

    /// A file's address, the same for the same path.
    static func file(_ path: String) -> URL {
        URL(filePath: path, directoryHint: .notDirectory).standardizedFileURL
    }
}
