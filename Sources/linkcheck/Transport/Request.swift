// Request: an HTTP request as it is sent.

import Foundation

/// A request without a body.
struct Request: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    /// Which bodies are received. Without its body, a response ends with its head.
    enum Body: Sendable {
        case none, document, any
    }

    let method: Method
    private(set) var address: URL
    var fields: [HeaderField] = []
    let body: Body
    /// The maximum number of bytes of a body, also after it is decompressed.
    let maxBody: Int

    init(method: Method, address: URL, body: Body = .document, maxBody: Int = 10_000_000) {
        self.method = method
        self.address = address
        self.body = body
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
            HeaderField(name: "Host", value: host), HeaderField(name: "Accept", value: "*/*"),
            HeaderField(name: "Accept-Encoding", value: "gzip"), HeaderField(name: "Connection", value: "keep-alive"),
        ]
        let own = general.filter { general in !fields.contains { $0.name.lowercased() == general.name.lowercased() } }
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\n"
        for field in own + fields { text += "\(field.name): \(field.value)\r\n" }
        if isProxied { text += "\(GatewayField.maxBody): \(body == .none ? 0 : maxBody)\r\n" }
        return Bytes((text + "\r\n").utf8)
    }
}
