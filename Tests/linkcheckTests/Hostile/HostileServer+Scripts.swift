// Scripts: what a hostile server sends, step by step.

import Foundation

@testable import linkcheck

extension HostileServer {
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

    /// Starts a server of scripts by the method and the path, such as `GET /a`, or by the path.
    convenience init(_ scripts: [String: [Step]]) throws {
        try self.init { request, client in
            let words = request.split(separator: " ").prefix(2).map(String.init)
            for step in scripts[words.joined(separator: " ")] ?? scripts[words[1]] ?? [.missing] {
                switch step {
                case .send(let bytes): guard client.send(Data(bytes)) else { return }
                case .endless(let bytes): while client.send(Data(bytes)) {}
                case .drip(let bytes): repeat { usleep(2000) } while client.send(Data(bytes))
                case .hold: client.waitForClose()
                }
            }
        }
    }

    /// The request lines so far, without the version.
    var log: [String] { requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } }
}

extension HostileServer.Step {
    fileprivate static let missing = text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

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
    static let large = zeros(100_000_000)

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
