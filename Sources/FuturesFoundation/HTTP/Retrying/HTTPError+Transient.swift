// isTransient: which errors of requests may be gone at the next attempt.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPError {
    /// Returns whether the same request may succeed later.
    ///
    /// So it is with time limits, with errors of the connection, and with the statuses 408, 425, 429, 500, 502, 503 and
    /// 504. Other statuses, addresses and bodies stay what they are. A request that is not idempotent, such as a POST,
    ///      may
    /// have had its effect although it has failed.
    ///
    /// - Parameter error: The error of a request.
    public static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case HTTPError.status(let response): [408, 425, 429, 500, 502, 503, 504].contains(response.status)
        case HTTPError.idleTimedOut, HTTPError.timedOut, FutureError.timedOut: true
        case let error as URLError: transientCodes.contains(error.code)
        default: false
        }
    }

    private static let transientCodes: Set<URLError.Code> = [
        .timedOut, .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet, .cannotFindHost,
        .dnsLookupFailed, .badServerResponse, .cannotParseResponse, .resourceUnavailable,
    ]
}
