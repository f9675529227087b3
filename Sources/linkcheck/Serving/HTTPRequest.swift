// HTTPRequest: what a client asks for, read from the bytes that it sent.

import Foundation

/// The head of a request. A body is passed over: nothing here wants one.
struct HTTPRequest: Equatable, Sendable {
    let method: String
    /// Without the query, percent-decoded.
    let path: String
    let keepsAlive: Bool

    enum Reading: Equatable, Sendable {
        /// More bytes have to come.
        case incomplete
        /// A request, and how many bytes it takes.
        case request(HTTPRequest, length: Int)
        /// No HTTP that can be answered but by this status. Where the next request starts is then unknown.
        case refused(status: Int)
    }

    /// Reads the first request in `bytes`.
    static func read(_ bytes: Bytes) -> Reading {
        let start = bytes.skip(from: 0) { $0 == "\r" || $0 == "\n" }
        guard let (head, end) = head(of: bytes, from: start) else {
            return bytes.count - start > headLimit ? .refused(status: 431) : .incomplete
        }
        let words = head[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, isToken(words[0]), words[2].wholeMatch(of: /HTTP\/\d\.\d/) != nil else {
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
        let request = HTTPRequest(method: words[0], path: path, keepsAlive: keepsAlive)
        return .request(request, length: end + body)
    }
}

extension HTTPRequest {
    private static let headLimit = 16 * 1024
    private static let bodyLimit = 1024 * 1024

    /// The lines up to the empty one, and the offset behind that.
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

    /// The header fields by their names in lower case, or nil if a line is none.
    private static func fields(_ lines: some Sequence<String>) -> [String: String]? {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), isToken(line[..<colon]) else { return nil }
            let name = line[..<colon].lowercased()
            let value = String(line[line.index(after: colon)...]).trimmed
            // Two lengths would leave open where the next request starts.
            if name == "content-length", let other = fields[name], other != value { return nil }
            fields[name] = value
        }
        return fields
    }

    /// The path of `/a%20b?c` or of `http://host/a%20b?c`.
    private static func path(of target: String) -> String? {
        var path = target[...]
        if let scheme = path.prefixMatch(of: /https?:\/\/[^\/?#]*/.ignoresCase()) {
            path = path[scheme.range.upperBound...]
            if !path.hasPrefix("/") { path = "/" + path }
        }
        guard path.hasPrefix("/") || path == "*" else { return nil }
        return String(path.prefix { $0 != "?" && $0 != "#" }).removingPercentEncoding
    }

    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
