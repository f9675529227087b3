// Socket: a TCP socket on the loopback interface. Only this file of the server differs between platforms.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A non-blocking socket, which is closed when it is released.
final class Socket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        #endif
    }

    deinit {
        _ = close(descriptor)
    }

    /// Returns a socket bound to a free port of 127.0.0.1. Connections are refused until `listen()` is called.
    static func bound() throws -> Socket {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        let bound = Socket(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withAddress(&address) { bind(descriptor, $0, $1.pointee) }
        guard result == 0 else { throw SocketError("bind") }
        return bound
    }

    func listen() throws {
        guard systemListen(descriptor, 128) == 0 else { throw SocketError("listen") }
    }

    /// The port chosen by the system.
    var port: Int {
        var address = sockaddr_in()
        _ = Self.withAddress(&address) { getsockname(descriptor, $0, $1) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns a socket for the next client, or nil if none is waiting.
    func accept() -> Socket? {
        let client = systemAccept(descriptor, nil, nil)
        return client >= 0 ? Socket(client) : nil
    }

    enum Received {
        case bytes(Bytes)
        case nothingYet
        case end
    }

    func receive() -> Received {
        var buffer = Bytes(repeating: 0, count: 16 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Bytes(buffer.prefix(count))) }
        return count < 0 && isTransient(errno) ? .nothingYet : .end
    }

    /// Sends bytes and returns the number that the system has accepted, or nil if the connection has failed.
    func send(_ bytes: Bytes) -> Int? {
        let count = systemSend(descriptor, bytes, bytes.count, flags)
        return count >= 0 ? count : isTransient(errno) ? 0 : nil
    }

    /// Shuts down the sending side of the connection.
    func endSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    private static func withAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}

/// An error of a system call, with the system's description.
struct SocketError: Error, CustomStringConvertible {
    let description: String

    init(_ call: String) {
        description = "cannot \(call) on the loopback interface: \(String(cString: strerror(errno)))"
    }
}

private func isTransient(_ error: Int32) -> Bool {
    error == EAGAIN || error == EWOULDBLOCK || error == EINTR
}

// The system's functions, under names that are not shadowed by the methods above.
#if canImport(Glibc)
    private let stream = Int32(SOCK_STREAM.rawValue)
    private let flags = Int32(MSG_NOSIGNAL)
    private let (systemListen, systemAccept, systemSend) = (Glibc.listen, Glibc.accept, Glibc.send)
#elseif canImport(Musl)
    private let stream = Int32(SOCK_STREAM)
    private let flags = Int32(MSG_NOSIGNAL)
    private let (systemListen, systemAccept, systemSend) = (Musl.listen, Musl.accept, Musl.send)
#elseif canImport(Android)
    private let stream = Int32(SOCK_STREAM)
    private let flags = Int32(MSG_NOSIGNAL)
    private let (systemListen, systemAccept, systemSend) = (Android.listen, Android.accept, Android.send)
#elseif canImport(Darwin)
    private let stream = SOCK_STREAM
    private let flags: Int32 = 0
    private let (systemListen, systemAccept, systemSend) = (Darwin.listen, Darwin.accept, Darwin.send)
#endif
