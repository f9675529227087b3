// Socket: a non-blocking TCP socket. Only this folder differs between platforms.

import Foundation

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
        let bound = try Socket(family: AF_INET)
        let result = SocketAddress.loopback.withPointer { bind(bound.descriptor, $0, $1) }
        guard result == 0 else { throw SocketError("bind") }
        return bound
    }

    private convenience init(family: Int32) throws {
        let descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        self.init(descriptor)
    }

    /// Returns a socket that is being connected. It is writable when it is connected, or when it has failed.
    static func connecting(to address: SocketAddress) throws -> Socket {
        let connecting = try Socket(family: address.family)
        let result = address.withPointer { systemConnect(connecting.descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS || isTransient(errno) else { throw SocketError("connect") }
        return connecting
    }

    /// Returns two sockets that are connected to each other.
    static func pair() throws -> (Socket, Socket) {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, stream, 0, &descriptors) == 0 else { throw SocketError("socketpair") }
        return (Socket(descriptors[0]), Socket(descriptors[1]))
    }

    func listen() throws {
        guard systemListen(descriptor, 128) == 0 else { throw SocketError("listen") }
    }

    /// The port chosen by the system.
    var port: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns a socket for the next client, or nil if none is waiting.
    func accept() -> Socket? {
        let client = systemAccept(descriptor, nil, nil)
        return client >= 0 ? Socket(client) : nil
    }

    /// The error of the connection attempt, or nil if it has succeeded.
    var connectionError: SocketError? {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: number))
        let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        return result == 0 && number == 0 ? nil : SocketError("connect", number)
    }

    enum Received {
        case bytes(Bytes)
        case nothingYet
        case end
    }

    func receive() -> Received {
        var count = 0
        let bytes = Bytes(unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            initialized = max(count, 0)
        }
        if count > 0 { return .bytes(bytes) }
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
}

/// An error of a system call, with the system's description.
struct SocketError: Error, CustomStringConvertible {
    let number: Int32
    private let call: String

    init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }

    var description: String { "cannot \(call): \(String(cString: strerror(number)))" }
}

private func isTransient(_ error: Int32) -> Bool {
    error == EAGAIN || error == EWOULDBLOCK || error == EINTR
}

// The system's functions, under names that are not shadowed by the methods above.
private let (systemListen, systemAccept, systemSend) = (Foundation.listen, Foundation.accept, Foundation.send)
private let systemConnect = Foundation.connect

#if canImport(Darwin)
    let stream = SOCK_STREAM
    private let flags: Int32 = 0
#elseif canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    private let flags = Int32(MSG_NOSIGNAL)
#else
    let stream = Int32(SOCK_STREAM)
    private let flags = Int32(MSG_NOSIGNAL)
#endif
