// The server: HTTP requests, and invalid input.

import Foundation
import Testing

@testable import linkcheck

struct SiteServerTests {
    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    private func send(_ text: String, to server: SiteServer) -> String {
        RawClient.send(Bytes(text.utf8), to: server)
    }

    private func statuses(_ answer: String) -> [Substring] {
        answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
    }

    @Test func `requests on one connection are answered in order`() throws {
        let server = try SiteServer { _ in ["/": Page(response: HTTPResponse(html: "x"), delay: .milliseconds(20))] }
        defer { server.stop() }
        let missing = "GET /missing HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(statuses(send(get + missing + get, to: server)) == ["200", "404", "200"])
    }

    @Test func `a connection is closed when the client requests it`() throws {
        let server = try SiteServer { _ in ["/": .html("x")] }
        defer { server.stop() }
        let last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        #expect(statuses(send(last + get, to: server)) == ["200"])
    }

    @Test func `garbage after a request is refused and closes the connection`() throws {
        let server = try SiteServer { _ in ["/": .html("x")] }
        defer { server.stop() }
        #expect(statuses(send(get + "\u{0}\u{1}\r\n\r\n" + get, to: server)) == ["200", "400"])
        #expect(send("", to: server) == "")
        #expect(statuses(send(get, to: server)) == ["200"])
    }

    @Test func `an unknown method is refused with a list of the supported ones`() throws {
        let server = try SiteServer { _ in ["/": .html("x")] }
        defer { server.stop() }
        let answer = send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab" + get, to: server)
        #expect(statuses(answer) == ["405", "200"])
        #expect(answer.contains("Allow: GET, HEAD\r\n"))
    }

    @Test func `HEAD gets the length of what GET gets`() throws {
        let server = try SiteServer { _ in ["/": .html("text")] }
        defer { server.stop() }
        let answer = send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", to: server)
        #expect(answer.contains("Content-Length: 4\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func `a long response arrives completely`() throws {
        let server = try SiteServer { _ in ["/": .html(String(repeating: "0123456789", count: 300_000))] }
        defer { server.stop() }
        #expect(send(get, to: server).utf8.count > 3_000_000)
    }
}
