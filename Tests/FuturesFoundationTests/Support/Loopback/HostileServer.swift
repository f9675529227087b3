// HostileServer: an HTTP server on the loopback interface that replies with any bytes, as slowly as a test wants.

import Foundation
import Futures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server whose replies are written byte by byte by the test. Each connection has a thread, and one request.
final class HostileServer: Sendable {
    typealias Handler = @Sendable (_ request: String, _ client: Client) -> Void

    /// The address of the server, such as `http://127.0.0.1:49152/`.
    let address: URL

    private let descriptor: Int32
    private let state = Locked((requests: [String](), open: 0, peak: 0, isStopped: false))

    /// Starts a server. `handler` is called for each request, with its head and its body, on a thread of its own.
    init(_ handler: @escaping Handler) throws {
        let descriptor = socket(AF_INET, streamType, 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 256) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.descriptor = descriptor
        address = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/")!
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0, let self else { break }
                serve(client, handler)
            }
            close(descriptor)
        }
    }

    deinit { stop() }

    /// Stops accepting clients. Once: behind that, the descriptor is closed, and its number may be another socket's.
    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if isFirst { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    var requests: [String] { state.withLock { $0.requests } }

    /// The maximum number of requests that were in progress at the same time.
    var peak: Int { state.withLock { $0.peak } }

    var openCount: Int { state.withLock { $0.open } }

    private func serve(_ descriptor: Int32, _ handler: @escaping Handler) {
        state.withLock {
            $0.open += 1
            $0.peak = max($0.peak, $0.open)
        }
        Thread.detachNewThread { [self] in
            let client = Client(descriptor)
            if let request = client.readRequest() {
                state.withLock { $0.requests.append(request) }
                handler(request, client)
            }
            client.finish()
            state.withLock { $0.open -= 1 }
        }
    }
}

extension HostileServer {
    struct Client: Sendable {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Sends text, and returns whether the client has accepted it.
        @discardableResult
        func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        @discardableResult
        func send(_ data: Data) -> Bool {
            data.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let count = systemSend(descriptor, bytes.baseAddress! + offset, bytes.count - offset, sendFlags)
                    guard count > 0 else { return false }
                    offset += count
                }
                return true
            }
        }

        func reply(_ status: Int = 200, _ body: String = "", fields: String = "") {
            send(
                "HTTP/1.1 \(status) Word\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
            )
        }

        func waitForClose() { while !receive().isEmpty {} }

        fileprivate func readRequest() -> String? {
            var bytes = Data()
            while true {
                let part = receive()
                if part.isEmpty { return nil }
                bytes += part
                guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if head.lowercased().contains("expect: 100-continue") { send("HTTP/1.1 100 Continue\r\n\r\n") }
                while bytes.count < end.upperBound + length {
                    let part = receive()
                    if part.isEmpty { return nil }
                    bytes += part
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }

        private func receive() -> Data {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count > 0 ? Data(buffer.prefix(count)) : Data()
        }

        /// Ends the connection in such a way that the client can read what was sent.
        fileprivate func finish() {
            shutdown(descriptor, Int32(SHUT_WR))
            var limit = timeval(tv_sec: 1, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            waitForClose()
            close(descriptor)
        }
    }
}

extension HostileServer {
    func at(_ path: String) -> URL { address.appendingPathComponent(path) }
}

#if canImport(Glibc)
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let sendFlags = Int32(MSG_NOSIGNAL)
    private let systemSend = Glibc.send
#elseif canImport(Musl)
    private let streamType = Int32(SOCK_STREAM)
    private let sendFlags = Int32(MSG_NOSIGNAL)
    private let systemSend = Musl.send
#elseif canImport(Darwin)
    private let streamType = SOCK_STREAM
    private let sendFlags: Int32 = 0
    private let systemSend = Darwin.send
#endif
