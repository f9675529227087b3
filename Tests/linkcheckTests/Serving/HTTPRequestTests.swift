// HTTP requests: valid ones, and the responses to invalid ones.

import Testing

@testable import linkcheck

struct HTTPRequestTests {
    private func read(_ text: String) -> HTTPRequest.Reading { HTTPRequest.read(Bytes(text.utf8)) }

    @Test func `a request is read up to its end`() {
        let text = "GET /a%20b?c HTTP/1.1\r\nHost: x\r\n\r\n"
        let request = HTTPRequest(
            method: "GET", target: "/a%20b?c", path: "/a b", keepsAlive: true, fields: ["host": "x"])
        #expect(read(text) == .request(request, length: text.utf8.count))
        #expect(read(text + "GET") == .request(request, length: text.utf8.count))
        for length in 0..<text.utf8.count { #expect(HTTPRequest.read(Bytes(text.utf8.prefix(length))) == .incomplete) }
    }

    @Test func `a complete body is skipped`() {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
        let fields = ["host": "x", "content-length": "3"]
        let request = HTTPRequest(method: "POST", target: "/", path: "/", keepsAlive: true, fields: fields)
        #expect(read(head + "ab") == .incomplete)
        #expect(read(head + "abcd") == .request(request, length: head.utf8.count + 3))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false), ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true), ("\r\nGET / HTTP/1.1\nhost:x\n\n", true),
        ("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n", true),
    ])
    func `the client decides whether the connection stays open`(text: String, keepsAlive: Bool) {
        guard case .request(let request, let length) = read(text) else {
            Issue.record("The request was not read.")
            return
        }
        #expect((request.method, request.path, request.keepsAlive, length) == ("GET", "/", keepsAlive, text.utf8.count))
    }

    @Test(arguments: [
        ("garbage\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 501), ("GET / HTTP/2.0\r\n\r\n", 505),
        (String(repeating: "x", count: 20_000), 431),
    ])
    func `an invalid request is refused with the matching status`(text: String, status: Int) {
        #expect(read(text) == .refused(status: status))
    }
}
