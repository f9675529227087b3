// SocketAddress: the addresses of a host.

import Foundation

/// An address and a port to connect to.
struct SocketAddress: Sendable {
    let family: Int32
    private let bytes: Bytes

    /// The loopback interface, with a port that the system chooses.
    static var loopback: SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return SocketAddress(family: AF_INET, bytes: withUnsafeBytes(of: &address) { Bytes($0) })
    }

    /// Returns the addresses of a host, in the order in which to try them. It blocks its thread until they are known.
    ///
    /// - Throws: A `ResolutionError` if there are none.
    static func resolve(_ host: String, port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = stream
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &list)
        guard status == 0 else { throw ResolutionError(isTransient: status == EAI_AGAIN) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        for entry in sequence(first: list?.pointee, next: { $0?.ai_next?.pointee }) {
            guard let entry, let address = entry.ai_addr else { break }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
            addresses.append(SocketAddress(family: entry.ai_family, bytes: Bytes(bytes)))
        }
        return addresses
    }

    func withPointer<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        bytes.withUnsafeBytes { body($0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count)) }
    }
}

/// A host has no address.
struct ResolutionError: Error {
    let isTransient: Bool
}
