// HostileServer: sends what no HTTP library would, byte by byte.

import Foundation
import Synchronization

@testable import linkcheck

/// A server that answers each path with a script, and closes the connection after it.
final class HostileServer: Sendable {
    enum Step: Sendable {
        case send(Bytes)
        /// Sends the same bytes until the client closes the connection.
        case endless(Bytes)
        /// Sends the same bytes every two milliseconds until the client closes the connection.
        case drip(Bytes)
        /// Sends nothing until the client closes the connection.
        case hold

        static func text(_ text: String) -> Step { .send(Bytes(text.utf8)) }
    }

    /// How long it waits for a client, in milliseconds: as long as any test waits, as a busy machine may delay clients.
    private static let limit: Int32 = 1_200_000

    let address: URL
    private let state = State()

    /// What the threads share.
    private final class State: Sendable {
        let requests = Mutex<[String]>([])
        let isStopped = Atomic(false)
    }

    /// Starts a server of scripts by the method and the path, such as `GET /a`, or by the path.
    init(_ scripts: [String: [Step]]) throws {
        let socket = try Socket.bound()
        try socket.listen()
        address = URL(string: "http://127.0.0.1:\(socket.port)/")!
        Thread.detachNewThread { [state] in
            while !state.isStopped.load(ordering: .relaxed) {
                guard Self.wait(socket.descriptor, for: POLLIN, 50) else { continue }
                while let client = socket.accept() {
                    Thread.detachNewThread { Self.serve(client, scripts, state) }
                }
            }
        }
    }

    /// Accepts no more connections.
    func stop() {
        state.isStopped.store(true, ordering: .relaxed)
    }

    /// The request lines so far, without the version.
    var log: [String] { state.requests.withLock { $0 } }

    private static func serve(_ client: Socket, _ scripts: [String: [Step]], _ state: State) {
        guard let head = head(from: client) else { return }
        let line = head.split(separator: " ").prefix(2).joined(separator: " ")
        state.requests.withLock { $0.append(line) }
        let path = String(line.drop { $0 != " " }.dropFirst())
        let script = scripts[line] ?? scripts[path] ?? [.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
        for step in script {
            switch step {
            case .send(let bytes): guard send(bytes, to: client) else { return }
            case .endless(let bytes): while send(bytes, to: client) {}
            case .drip(let bytes): while !wait(client.descriptor, for: POLLIN, 2), send(bytes, to: client) {}
            case .hold: _ = wait(client.descriptor, for: POLLIN, limit)
            }
        }
        client.endSending()
        _ = wait(client.descriptor, for: POLLIN, limit)
    }

    private static func head(from client: Socket) -> String? {
        var bytes = Bytes()
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard wait(client.descriptor, for: POLLIN, limit) else { return nil }
            switch client.receive() {
            case .bytes(let more): bytes += more
            case .nothingYet: continue
            case .end: return nil
            }
        }
        return bytes.text(bytes.indices)
    }

    private static func send(_ bytes: Bytes, to client: Socket) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = client.send(rest) else { return false }
            rest.removeFirst(count)
            if count == 0, !wait(client.descriptor, for: POLLOUT, limit) { return false }
        }
        return true
    }

    private static func wait(_ descriptor: Int32, for events: Int32, _ milliseconds: Int32) -> Bool {
        var descriptors = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&descriptors, 1, milliseconds) > 0
    }
}

extension HostileServer.Step {
    /// A response with these fields and a body of its exact length.
    static func page(_ body: String, fields: String = "") -> HostileServer.Step {
        .text(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
    }

    /// The head of a page whose body follows.
    static func head(_ fields: String, status: String = "200 OK") -> HostileServer.Step {
        .text("HTTP/1.1 \(status)\r\nContent-Type: text/html\r\n\(fields)\r\n")
    }
}

/// Compresses zeros, as much as gzip can.
enum GzipBomb {
    /// Returns a gzip file of about `size` zeros: 258 of them take 13 bits.
    static func zeros(_ size: Int) -> Bytes {
        var bytes: Bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (bits, count) = (UInt64(0), UInt64(0))
        func put(_ value: UInt64, _ length: UInt64) {
            bits |= value << count
            count += length
            while count >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                bits >>= 8
                count -= 8
            }
        }
        put(0b011, 3)  // The last block, with fixed codes.
        put(0b00001100, 8)  // A zero, whose code 00110000 is written from its first bit.
        // The length 258 is the code 11000101, the distance 1 the code 00000.
        for _ in 0..<(size / 258) { put(0b10100011, 13) }
        put(0, 7)
        put(0, 8)
        return bytes
    }
}
