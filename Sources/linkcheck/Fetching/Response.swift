// Response: the response of a server.

import Foundation

/// The parts of an HTTP response that are needed here.
struct Response: Sendable {
    let address: URL
    let status: Int
    /// The kind of the document, or nil if it is not one that is read.
    let kind: DocumentKind?
    let charset: String?
    /// The body of a document, decompressed. It is empty if it was not requested.
    let body: Bytes
    /// The target of a redirect, as written in its `Location` field.
    let location: String?
    /// The delay that the server requests before a retry.
    let retryAfter: Duration?

    /// Creates a response from what has been read.
    ///
    /// - Throws: A `FetchError` if the body cannot be decompressed, or if a gateway reports a failure.
    init(_ reader: ResponseReader, to request: Request, now: Date = Date()) throws {
        guard let head = reader.head else { throw FetchError.malformed("it has no status") }
        if let failure = head.fields[GatewayField.failure] {
            throw FetchError.unreachable(failure, isTransient: head.status == 503)
        }
        if head.fields[GatewayField.isTooLarge] != nil { throw FetchError.tooLarge(request.maxBody) }
        address = request.address
        status = head.status
        kind = Self.kind(of: head, at: request.address)
        charset = head.fields["content-type"].flatMap(Charset.charset)
        location = head.fields["location"]
        retryAfter = head.fields["retry-after"].flatMap { RetryAfter.delay($0, now: now) }
        body = try Self.decompressed(reader.body, head.fields["content-encoding"] ?? "", limit: request.maxBody)
    }

    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The parsed document, or nil if the response is not of a kind that is read.
    var document: Document? {
        kind.map { Document(body, kind: $0, charset: charset) }
    }

    static func kind(of head: ResponseHead, at address: URL) -> DocumentKind? {
        switch (head.fields["content-type"] ?? "").lowercased() {
        // A page, as in browsers.
        case "": DocumentKind(of: address) ?? (address.looksLikePage ? .html : nil)
        case "application/gzip", "application/x-gzip": DocumentKind(of: address)
        case let type: DocumentKind(contentType: type)
        }
    }

    private static func decompressed(_ body: Bytes, _ encoding: String, limit: Int) throws -> Bytes {
        var body = body
        for coding in encoding.lowercased().split(separator: ",").map({ String($0).trimmed }).reversed().prefix(3) {
            guard coding != "identity", !body.isEmpty else { continue }
            guard ["gzip", "x-gzip", "deflate"].contains(coding) else {
                throw FetchError.malformed("the content encoding \(coding) was not requested")
            }
            body = try inflated(body, limit: limit)
        }
        // A sitemap may be a compressed file.
        return body.starts(with: [0x1F, 0x8B]) ? try inflated(body, limit: limit) : body
    }

    private static func inflated(_ body: Bytes, limit: Int) throws -> Bytes {
        do {
            return try Inflate.decode(body, limit: limit)
        } catch {
            throw error.isTooLarge ? FetchError.tooLarge(limit) : .malformed("it cannot be decompressed")
        }
    }
}
