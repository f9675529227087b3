// FetchError: the reason why a request failed, and whether to retry it.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reason why there is no successful response from an address.
enum FetchError: Error, Hashable {
    case status(Int, retryAfter: Duration? = nil)
    /// A status with a pause that is too long, or follows too many others.
    case refused(Int, pause: Duration)
    case timedOut(Duration)
    case tookTooLong(Duration)
    case unreachable(String, isTransient: Bool)
    case tooLarge(Int)
    case headTooLarge
    case malformed(String)
    case redirectLoop
    case tooManyRedirects(Int)
    case redirectToNowhere(String)
    case redirectWithoutLocation(Int)

    /// Creates an error from an error of URLSession. The common cases have fixed descriptions, because URLSession's
    /// contain numbers that change each time.
    init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut?: self = .unreachable("no response in time", isTransient: true)
        case .cannotConnectToHost?: self = .unreachable("cannot connect to the host", isTransient: true)
        case .networkConnectionLost?: self = .unreachable("the connection was lost", isTransient: true)
        case .cannotFindHost?, .dnsLookupFailed?: self = .unreachable("no such host", isTransient: false)
        case .badServerResponse?: self = .unreachable("no valid response", isTransient: true)
        default: self = .unreachable(error.localizedDescription, isTransient: false)
        }
    }

    /// Whether a GET request may succeed where a HEAD request has failed: not if the host cannot be reached, or asks to
    /// wait.
    var mayBeDueToHead: Bool {
        switch self {
        case .status(let status, _): status != 429
        case .timedOut, .tookTooLong, .malformed, .headTooLarge: true
        case .unreachable(let reason, _): reason.hasPrefix("the connection was")
        default: false
        }
    }

    /// Whether there is nothing at the address, or it is not for everyone.
    var isUnavailable: Bool {
        switch self {
        case .status(let status, _): (400..<500).contains(status) && status != 429
        case .redirectLoop, .tooManyRedirects: true
        default: false
        }
    }

    /// Whether the same request may succeed later.
    var isTransient: Bool {
        switch self {
        case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .timedOut: true
        case .unreachable(_, let isTransient): isTransient
        default: false
        }
    }
}

extension FetchError {
    /// The delay that the server requests before a retry.
    var retryAfter: Duration? {
        guard case .status(_, let retryAfter) = self else { return nil }
        return retryAfter
    }
}

extension FetchError: CustomStringConvertible {
    var description: String {
        switch self {
        case .status(let status, _): HTTPStatus.text(status)
        case .refused(let status, let pause): "\(HTTPStatus.text(status)) (a pause of \(pause) is too much)"
        case .timedOut(let limit): "no response within \(limit)"
        case .tookTooLong(let limit): "the response did not end within \(limit)"
        case .unreachable(let reason, _): reason
        case .tooLarge(let limit): "the page is larger than \(limit) bytes"
        case .headTooLarge: "the head of the response is too large"
        case .malformed(let reason): "the response is not valid HTTP: \(reason)"
        case .redirectLoop: "redirects in a cycle"
        case .tooManyRedirects(let count): "more than \(count) redirects"
        case .redirectToNowhere(let target): "redirects to \"\(target)\", which is not a web address"
        case .redirectWithoutLocation(let status): "\(HTTPStatus.text(status)) without a Location"
        }
    }
}

/// An error, and the address where it occurred. After a redirect, that is not the requested address.
struct FetchFailure: Error {
    let address: URL
    let error: FetchError
}
