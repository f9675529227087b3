// HTTP responses as sent.

import Foundation
import Testing

@testable import linkcheck

struct HTTPResponseTests {
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test func `a response has its content type and length`() {
        let bytes = HTTPResponse(html: "<p>ü").serialized(withBody: true, keepsAlive: true, at: date)
        let expected = """
            HTTP/1.1 200 OK\r
            Content-Type: text/html; charset=utf-8\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            Content-Length: 5\r
            Connection: keep-alive\r
            \r
            <p>ü
            """
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `a response to HEAD has the same head and no body`() {
        let response = HTTPResponse(html: "text")
        let head = response.serialized(withBody: false, keepsAlive: true, at: date)
        #expect(head + Bytes("text".utf8) == response.serialized(withBody: true, keepsAlive: true, at: date))
    }

    @Test func `a status has its name`() {
        #expect(HTTPStatus.text(404) == "404 Not Found")
        #expect(HTTPStatus.text(799) == "799")
    }
}
