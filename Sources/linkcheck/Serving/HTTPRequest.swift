// HTTPRequest: a request, parsed from the bytes that the client sent.

import Foundation

/// The head of a request. The body is skipped, because no page needs it.
struct HTTPRequest: Equatable, Sendable {
    let method: String
    /// The target as it was sent.
    let target: String
    /// The path without the query, percent-decoded.
    let path: String
    let keepsAlive: Bool
    /// The header fields by their names in lower case.
    let fields: [String: String]

    enum Reading: Equatable, Sendable {
        /// The request has not arrived completely.
        case incomplete
        /// A request, and the number of bytes that it occupies.
        case request(HTTPRequest, length: Int)
        /// A request that can only be answered with this error status. The start of the next request is unknown.
        case refused(status: Int)
    }

    /// Parses the first request in `bytes`.
    static func read(_ bytes: Bytes) -> Reading {
        let start = bytes.skip(from: 0) { $0 == "\r" || $0 == "\n" }
        guard let (head, end) = head(of: bytes, from: start) else {
            return bytes.count - start > headLimit ? .refused(status: 431) : .incomplete
        }
        let words = head[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, isToken(words[0]), isVersion(words[2]) else {
            return .refused(status: 400)
        }
        guard words[2].hasPrefix("HTTP/1.") else { return .refused(status: 505) }
        guard let fields = fields(head.dropFirst()), let path = path(of: words[1]) else {
            return .refused(status: 400)
        }
        let isOld = words[2] == "HTTP/1.0"
        guard isOld || fields["host"] != nil else { return .refused(status: 400) }
        guard fields["transfer-encoding"] == nil else { return .refused(status: 501) }
        guard let body = Int(fields["content-length"] ?? "0"), body >= 0 else { return .refused(status: 400) }
        guard body <= bodyLimit else { return .refused(status: 413) }
        guard bytes.count >= end + body else { return .incomplete }

        let connection = fields["connection"]?.lowercased() ?? ""
        let keepsAlive = isOld ? connection.contains("keep-alive") : !connection.contains("close")
        let request = HTTPRequest(
            method: words[0], target: words[1], path: path, keepsAlive: keepsAlive, fields: fields)
        return .request(request, length: end + body)
    }
}

extension HTTPRequest {
    private static let headLimit = 16 * 1024
    private static let bodyLimit = 1024 * 1024

    /// Returns the lines before the first empty line, and the offset after it, or nil if there is none within the
    /// limit.
    private static func head(of bytes: Bytes, from start: Int) -> (lines: [String], end: Int)? {
        var lines: [String] = []
        var index = start
        while index - start <= headLimit, let end = bytes[index...].firstIndex(of: "\n") {
            let isCRLF = end > index && bytes[end - 1] == "\r"
            let line = bytes.text(index..<(isCRLF ? end - 1 : end))
            index = end + 1
            if line.isEmpty { return (lines, index) }
            lines.append(line)
        }
        return nil
    }

    /// Returns the header fields by their names in lower case, or nil if a line is not a valid field.
    private static func fields(_ lines: some Sequence<String>) -> [String: String]? {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), isToken(line[..<colon]) else { return nil }
            let name = line[..<colon].lowercased()
            let value = String(line[line.index(after: colon)...]).trimmed
            // With two different lengths, the start of the next request would be ambiguous.
            if name == "content-length", let other = fields[name], other != value { return nil }
            fields[name] = value
        }
        return fields
    }

    /// Returns the decoded path of `/a%20b?c` or of `http://host/a%20b?c`, or nil if the target is invalid.
    private static func path(of target: String) -> String? {
        var path = target[...]
        if let scheme = LinkTarget.scheme(of: target), ["http", "https"].contains(scheme),
            path.dropFirst(scheme.count).hasPrefix("://")
        {
            path = path.dropFirst(scheme.count + 3).drop { !"/?#".contains($0) }
            if !path.hasPrefix("/") { path = "/" + path }
        }
        guard path.hasPrefix("/") || path == "*" else { return nil }
        return String(path.prefix { $0 != "?" && $0 != "#" }).removingPercentEncoding
    }

    /// Returns whether the text is a version, such as `HTTP/1.1`.
    private static func isVersion(_ text: String) -> Bool {
        let bytes = Bytes(text.utf8)
        return bytes.count == 8 && text.hasPrefix("HTTP/") && bytes[5].isDigit && bytes[6] == "." && bytes[7].isDigit
    }

    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
