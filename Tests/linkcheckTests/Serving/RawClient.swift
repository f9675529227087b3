// RawClient: sends arbitrary bytes, which no HTTP library would.

import Foundation

@testable import linkcheck

enum RawClient {
    /// Sends `bytes`, closes the sending side, and returns what the server sends until it closes the connection.
    static func send(_ bytes: Bytes, to server: SiteServer) -> String {
        #if canImport(Glibc)
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let client = socket(AF_INET, Int32(SOCK_STREAM), 0)
        #endif
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(server.address.port!).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return "not connected" }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(client, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(client, Int32(SHUT_WR))
        var received = Bytes()
        var buffer = Bytes(repeating: 0, count: 4096)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
            received += buffer.prefix(count)
        }
    }
}
