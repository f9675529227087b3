// Reading responses, however their bytes are divided.

import Foundation
import Testing

@testable import linkcheck

struct ResponseReaderTests {
    private let request = Request(method: .get, address: URL(string: "http://a.example/x.html")!, maxBody: 1000)

    private func read(_ bytes: Bytes, dividedBy size: Int, endsConnection: Bool = true) throws -> ResponseReader {
        var reader = ResponseReader(request)
        var rest = bytes[...]
        while !rest.isEmpty, !reader.isComplete {
            try reader.add(Bytes(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        if !reader.isComplete, endsConnection { try reader.end() }
        return reader
    }

    private static let responses: [(text: String, body: String, isReusable: Bool)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc", true),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
            "ab0123456789", true
        ),
        ("HTTP/1.1 200 OK\r\n\r\nto the end", "to the end", false),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", "a", false),
        ("HTTP/1.0 200 OK\nContent-Length: 1\n\na", "a", false),
    ]

    @Test func `a response is the same however its bytes are divided`() throws {
        for (text, body, isReusable) in Self.responses {
            for size in 1...text.utf8.count {
                let reader = try read(Bytes(text.utf8), dividedBy: size)
                #expect(reader.isComplete)
                #expect(reader.head?.status == 200)
                #expect(reader.body == Bytes(body.utf8))
                #expect(reader.isReusable == isReusable)
            }
        }
    }

    @Test func `a body that is no document ends with its head`() throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5000\r\n\r\n"
        let reader = try read(Bytes((text + "abc").utf8), dividedBy: 10_000, endsConnection: false)
        #expect(reader.isComplete)
        #expect(!reader.isReusable)
        #expect(reader.body.isEmpty)
    }
}
