// Request: an HTTP request as it is sent.

import Foundation

/// A request without a body.
struct Request: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    let method: Method
    private(set) var address: URL
    var fields: [(name: String, value: String)] = []
    /// Whether the body is received if it is a document. Otherwise the response ends with its head.
    var wantsDocument = true
    /// The maximum number of bytes of a body, also after it is decompressed.
    var maxBody = 10_000_000

    init(
        method: Method, address: URL, fields: [(name: String, value: String)] = [], wantsDocument: Bool = true,
        maxBody: Int = 10_000_000
    ) {
        self.method = method
        self.address = address
        self.fields = fields
        self.wantsDocument = wantsDocument
        self.maxBody = maxBody
    }

    /// Returns the same request for another address.
    func redirected(to address: URL) -> Request {
        var request = self
        request.address = address
        return request
    }

    /// Returns the bytes to send.
    ///
    /// - Parameter isProxied: Whether the request line has the whole address.
    func serialized(isProxied: Bool) -> Bytes {
        let parts = URLComponents(url: address, resolvingAgainstBaseURL: true)
        var host = parts?.percentEncodedHost ?? ""
        if let port = address.port { host += ":\(port)" }
        var target = parts?.percentEncodedPath ?? "/"
        if target.isEmpty { target = "/" }
        if let query = parts?.percentEncodedQuery { target += "?" + query }
        if isProxied { target = "\(address.scheme ?? "https")://\(host)\(target)" }
        let general = [
            ("Host", host), ("Accept", "*/*"), ("Accept-Encoding", "gzip"), ("Connection", "keep-alive"),
        ]
        let own = general.filter { general in !fields.contains { $0.name.lowercased() == general.0.lowercased() } }
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\n"
        let gateway = isProxied ? [(GatewayField.maxBody, "\(wantsDocument ? maxBody : 0)")] : []
        for (name, value) in own + gateway + fields { text += "\(name): \(value)\r\n" }
        return Bytes((text + "\r\n").utf8)
    }
}
