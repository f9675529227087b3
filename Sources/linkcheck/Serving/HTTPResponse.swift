// HTTPResponse: a response, and its serialization.

import Foundation

struct HTTPResponse: Equatable, Sendable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: Bytes

    /// Creates a short page that shows the status.
    init(status: Int) {
        self.init(
            status: status,
            html: "<title>\(HTTPStatus.text(status))</title><h1>\(HTTPStatus.text(status))</h1>\n")
    }

    init(status: Int = 200, html: String) {
        self.status = status
        fields = [("Content-Type", "text/html; charset=utf-8")]
        body = Bytes(html.utf8)
    }

    /// Returns the bytes to send. A response to HEAD states the length of the body that it omits.
    func serialized(withBody: Bool, keepsAlive: Bool, at date: Date = Date()) -> Bytes {
        var head = "HTTP/1.1 \(HTTPStatus.text(status))\r\n"
        let general = [
            ("Date", HTTPDate.text(date)),
            ("Content-Length", "\(body.count)"),
            ("Connection", keepsAlive ? "keep-alive" : "close"),
        ]
        for (name, value) in fields + general { head += "\(name): \(value)\r\n" }
        return Bytes((head + "\r\n").utf8) + (withBody ? body : [])
    }

    static func == (a: HTTPResponse, b: HTTPResponse) -> Bool {
        a.status == b.status && a.body == b.body && a.fields.elementsEqual(b.fields, by: ==)
    }
}

enum HTTPStatus {
    /// Returns a status with its reason phrase, such as `404 Not Found`, or only the number if it has none here.
    static func text(_ status: Int) -> String {
        names[status].map { "\(status) \($0)" } ?? "\(status)"
    }

    private static let names = [
        200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large",
        414: "URI Too Long", 418: "I'm a teapot", 422: "Unprocessable Content", 425: "Too Early",
        426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
