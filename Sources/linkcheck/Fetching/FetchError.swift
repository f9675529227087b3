// FetchError: why there is no answer, and whether it is worth another try.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why an address has no good answer.
enum FetchError: Error, Hashable {
    case status(Int, retryAfter: Duration? = nil)
    case timedOut(Duration)
    case unreachable(String, isTransient: Bool)
    case redirectLoop
    case tooManyRedirects(Int)
    case redirectToNowhere(String)

    /// Makes one of what URLSession says. Its own words for the usual cases hold figures that change each time.
    init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut?: self = .unreachable("no answer in time", isTransient: true)
        case .cannotConnectToHost?: self = .unreachable("cannot connect to the host", isTransient: true)
        case .networkConnectionLost?: self = .unreachable("the connection was lost", isTransient: true)
        case .cannotFindHost?, .dnsLookupFailed?: self = .unreachable("no such host", isTransient: false)
        case .badServerResponse?: self = .unreachable("no proper answer", isTransient: true)
        // What Linux makes of a refused password. Of the requests that we cancel nobody hears.
        case .cancelled?: self = .status(401)
        default: self = .unreachable(error.localizedDescription, isTransient: false)
        }
    }

    /// Whether the same request may well succeed later.
    var isTransient: Bool {
        switch self {
        case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .timedOut: true
        case .unreachable(_, let isTransient): isTransient
        case .redirectLoop, .tooManyRedirects, .redirectToNowhere: false
        }
    }
}

extension FetchError {
    /// The longest delay before another try, whoever asks for it.
    static let longestDelay = Duration.seconds(60)

    /// How long the server wants to be left alone, within reason.
    var retryAfter: Duration? {
        guard case .status(_, let retryAfter?) = self else { return nil }
        return min(retryAfter, Self.longestDelay)
    }
}

extension FetchError: CustomStringConvertible {
    var description: String {
        switch self {
        case .status(let status, _): HTTPStatus.text(status)
        case .timedOut(let limit): "no answer within \(limit)"
        case .unreachable(let reason, _): reason
        case .redirectLoop: "redirects in a circle"
        case .tooManyRedirects(let count): "more than \(count) redirects"
        case .redirectToNowhere(let target): "redirects to \"\(target)\", which is no web address"
        }
    }
}

/// An error, and the address where it happened: behind a redirect that is not the one that was asked for.
struct FetchFailure: Error {
    let address: URL
    let error: FetchError
}
