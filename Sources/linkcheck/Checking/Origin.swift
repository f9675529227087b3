// Origin: a host and its port.

import Foundation

/// What makes two addresses belong to the same site, and share its queue.
struct Origin: Hashable, Sendable {
    let host: String
    let port: Int

    init?(_ address: URL) {
        guard let host = address.host(), !host.isEmpty else { return nil }
        self.host = host.lowercased()
        port = address.port ?? (address.scheme == "https" ? 443 : 80)
    }
}
