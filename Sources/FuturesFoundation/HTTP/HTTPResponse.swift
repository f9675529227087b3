// HTTPResponse: the status, the header fields and the body of a reply.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reply of an HTTP server.
public struct HTTPResponse: Sendable, Equatable {
    /// The address that replied: the last one, after redirects.
    public let url: URL?

    /// The status, such as 200.
    public let status: Int

    /// The body, after decompression. Empty for a download, whose body is in the file.
    public let body: Data

    private let fields: [String: String]

    /// Creates a reply, for instance for a test.
    ///
    /// - Parameters:
    ///   - url: The address that replied.
    ///   - status: The status.
    ///   - fields: The header fields. Case does not matter.
    ///   - body: The body.
    public init(url: URL? = nil, status: Int, fields: [String: String] = [:], body: Data = Data()) {
        self.url = url
        self.status = status
        self.body = body
        self.fields = Dictionary(fields.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    init(_ head: HTTPURLResponse, body: Data) {
        var fields: [String: String] = [:]
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        self.init(url: head.url, status: head.statusCode, fields: fields, body: body)
    }

    /// Returns the value of a header field, or nil if the reply does not have it.
    ///
    /// - Parameter name: The name of the field. Case does not matter.
    public func field(_ name: String) -> String? { fields[name.lowercased()] }

    /// The body as text, in UTF-8. Invalid bytes become replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
