// Response: the response of a server.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of an HTTP response that are needed here.
struct Response: Sendable {
    let address: URL
    let status: Int
    let contentType: String
    let body: Data
    /// The target of a redirect, as written in its `Location` field.
    let location: String?
    /// The delay that the server requests before a retry, up to an hour, if it is given in seconds.
    let retryAfter: Duration?

    init(_ response: HTTPURLResponse, body: Data) {
        let field = { (name: String) in response.value(forHTTPHeaderField: name) }
        address = response.url ?? URL(string: "about:blank")!
        status = response.statusCode
        contentType = field("Content-Type") ?? ""
        self.body = body
        location = field("Location")
        retryAfter = field("Retry-After").flatMap(Int.init).map { .seconds(min(max($0, 0), 3600)) }
    }

    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The kind of the document, or nil if it is not one that is read.
    var kind: DocumentKind? {
        contentType.isEmpty ? DocumentKind(of: address) : DocumentKind(contentType: contentType)
    }

    /// The parsed document, or nil if the response is not of a kind that is read.
    var document: Document? {
        kind.map { Document(body, kind: $0, charset: Charset.charset(inContentType: contentType)) }
    }
}
