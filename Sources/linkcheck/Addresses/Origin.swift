// Origin: a host and its port.

import Foundation

/// The host and the port of an address. Addresses with the same origin belong to the same site, and their requests
/// share a concurrency limit.
struct Origin: Hashable, Sendable {
    let host: String
    let port: Int

    init?(_ address: URL) {
        guard let host = address.host(), !host.isEmpty else { return nil }
        self.host = host.lowercased()
        port = address.port ?? (address.scheme == "https" ? 443 : 80)
    }
}
