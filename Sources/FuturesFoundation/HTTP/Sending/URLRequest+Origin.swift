// Origins: what a request may carry to the address of a redirect.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Whether the request goes to the same scheme, host and port as one to `address`.
    func hasOrigin(of address: URL?) -> Bool {
        guard let url, let address else { return false }
        return url.scheme?.lowercased() == address.scheme?.lowercased()
            && url.host?.lowercased() == address.host?.lowercased() && url.effectivePort == address.effectivePort
    }

    /// Removes the fields that are meant for one server only. On Linux, a session leaves them in a request to another one.
    mutating func removeCredentials() {
        for field in ["Authorization", "Proxy-Authorization", "Cookie"] { setValue(nil, forHTTPHeaderField: field) }
    }
}

extension URL {
    fileprivate var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }
}
