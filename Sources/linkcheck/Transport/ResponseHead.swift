// ResponseHead: the status and the fields of a response.

/// The head of a response. A response may have many heads: those before the last are informational.
struct ResponseHead: Sendable {
    let status: Int
    /// The fields by their names in lower case. The values of a repeated field are separated by commas.
    private(set) var fields: [String: String] = [:]
    private let isOld: Bool

    /// Creates the head that a status line starts, such as `HTTP/1.1 200 OK`, or nil if the line is not one.
    init?(statusLine line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3, let status = Int(words[1]),
            (100...999).contains(status)
        else { return nil }
        self.status = status
        isOld = words[0] == "HTTP/1.0"
    }

    init(status: Int, fields: [String: String]) {
        self.status = status
        self.fields = fields
        isOld = false
    }

    /// Adds a field. Lines that are not fields are ignored, as by browsers.
    mutating func add(line: String) {
        guard let colon = line.utf8.firstIndex(of: ":"), colon > line.startIndex else { return }
        let name = line[..<colon].lowercased().trimmed
        let value = String(line[line.utf8.index(after: colon)...]).trimmed
        // Browsers use the first of several of these.
        if ["location", "content-type"].contains(name), fields[name] != nil { return }
        fields[name] = fields[name].map { $0 + ", " + value } ?? value
    }

    var keepsAlive: Bool {
        let connection = fields["connection"]?.lowercased() ?? ""
        return isOld ? connection.contains("keep-alive") : !connection.contains("close")
    }

    enum Length {
        case none
        case bytes(Int)
        case chunked
        case untilClose
    }

    /// Returns how the end of the body is marked.
    func length(of method: Request.Method) throws -> Length {
        if method == .head || status == 204 || status == 304 || status < 200 { return .none }
        if let coding = fields["transfer-encoding"]?.lowercased() {
            guard coding == "chunked" else { throw FetchError.malformed("the transfer encoding \(coding) is unknown") }
            return .chunked
        }
        guard let text = fields["content-length"] else { return .untilClose }
        let lengths = Set(text.split(separator: ",").map { String($0).trimmed })
        guard lengths.count == 1, let length = lengths.first, !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else {
            throw FetchError.malformed("the Content-Length \"\(text)\" is not a number")
        }
        return .bytes(Int(length) ?? .max)
    }
}
