// Socket: a TCP socket on the loopback interface. What differs between platforms stays in this file.

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

/// A non-blocking socket, closed when nobody holds it any more.
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

    /// A socket bound to a free port of 127.0.0.1. Until it listens, who connects is refused.
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

    /// The port that the system has chosen.
    var port: Int {
        var address = sockaddr_in()
        _ = Self.withAddress(&address) { getsockname(descriptor, $0, $1) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next client, or nil if none waits.
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

    /// How many of the bytes were taken, or nil if the client is gone.
    func send(_ bytes: Bytes) -> Int? {
        let count = systemSend(descriptor, bytes, bytes.count, flags)
        return count >= 0 ? count : isTransient(errno) ? 0 : nil
    }

    /// Says that nothing more will be sent.
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

/// A system call that failed, with the system's reason.
struct SocketError: Error, CustomStringConvertible {
    let description: String

    init(_ call: String) {
        description = "cannot \(call) on the loopback interface: \(String(cString: strerror(errno)))"
    }
}

private func isTransient(_ error: Int32) -> Bool {
    error == EAGAIN || error == EWOULDBLOCK || error == EINTR
}

// The system's functions under names that a method of the same name does not hide.
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
