// Origins: what a request may carry to the address of a redirect.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Whether the request goes to the same scheme, host and port as one to `address`.
    func hasOrigin(of address: URL?) -> Bool {
        if let url, let address { url.origin == address.origin } else { false }
    }

    /// Removes the fields that are meant for one server only. On Linux, a session leaves them in a request to another one.
    mutating func removeCredentials() {
        for field in ["Authorization", "Proxy-Authorization", "Cookie"] { setValue(nil, forHTTPHeaderField: field) }
    }
}

extension URL {
    /// The scheme, the host and the port, which may be that of the scheme.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? ["http": 80, "https": 443][scheme] ?? 0)"
    }
}
