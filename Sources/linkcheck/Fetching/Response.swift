// Response: what a server answered.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of an answer that matter here.
struct Response: Sendable {
    let address: URL
    let status: Int
    let contentType: String
    let body: Data
    /// Where a redirect leads to, as it is written.
    let location: String?
    /// How long the server wants to be left alone, if it says so in seconds.
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

    /// What the page says, if it is one that has links.
    var document: Document? {
        let kind = contentType.isEmpty ? Document.Kind(of: address) : Document.Kind(contentType: contentType)
        return kind.map { Document(body, kind: $0) }
    }
}
