// Origins: the boundaries of a site.

import Foundation
import Testing

@testable import linkcheck

struct OriginTests {
    @Test(arguments: [
        ("http://a.example/x", "http://A.example:80/y", true), ("https://a.example/", "https://a.example:443/", true),
        ("http://a.example/", "https://a.example/", false), ("http://a.example/", "http://a.example:8080/", false),
        ("http://a.example/", "http://b.example/", false),
    ])
    func `host and port identify a site`(first: String, second: String, isSame: Bool) {
        #expect((Origin(URL(string: first)!) == Origin(URL(string: second)!)) == isSame)
    }

    @Test func `a file has no origin`() {
        #expect(Origin(.file("/a")) == nil)
    }
}
