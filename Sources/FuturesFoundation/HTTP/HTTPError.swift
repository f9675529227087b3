// HTTPError: the reasons for which a request has no successful reply.

import Foundation
import Futures

/// The reason for which an HTTP request has no successful reply.
///
/// An error of the connection, such as an unknown host, is a `URLError` and is passed on as it is.
///
/// Later versions may add cases, so a `switch` outside of this package needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPError: Error {
    /// The server replied with a status that `HTTPOptions.acceptsStatus` rejects. The reply's body is kept, up to
    /// `HTTPOptions.maxErrorBodySize`.
    case status(HTTPResponse)

    /// The body is larger than `HTTPOptions.maxBodySize`. The rest of it was not received.
    case bodyTooLarge(maxBodySize: Int)

    /// The server neither sent nor received anything for this time, which is `HTTPOptions.idleTimeout`.
    case idleTimedOut(after: Duration)

    /// The reply was not complete within this time, which is `HTTPOptions.timeout`.
    case timedOut(after: Duration)

    /// The body is not what `decode` expects. The error is that of the decoder.
    case undecodable(HTTPResponse, any Error)

    /// The address is not one of HTTP.
    case notHTTP(URL?)
}

extension HTTPError: CustomStringConvertible, LocalizedError, DescribedError {
    /// A sentence that says what happened.
    public var description: String {
        switch self {
        case .status(let response):
            "The server replied with status \(response.status)\(Self.place(response.url))."
        case .bodyTooLarge(let limit):
            "The body of the reply is larger than \(limit) bytes, the limit of the request."
        case .idleTimedOut(let limit):
            "The server neither sent nor received anything for \(limit.asDelay)."
        case .timedOut(let limit):
            "The reply was not complete within \(limit.asDelay), the time limit of the request."
        case .undecodable(let response, let error):
            "The body of the reply\(Self.place(response.url)) cannot be decoded: \(error)"
        case .notHTTP(let url):
            "The address is not one of HTTP: \(url?.absoluteString ?? "none")"
        }
    }

    private static func place(_ url: URL?) -> String { url.map { " from \($0.absoluteString)" } ?? "" }
}
