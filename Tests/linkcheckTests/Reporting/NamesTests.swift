// Names: how addresses are displayed.

import Foundation
import Testing

@testable import linkcheck

struct NamesTests {
    @Test func `a file in the working folder is shown relative to it`() {
        let names = Names(folder: "/project")
        #expect(names.name(of: "/project/a b.md") == "a b.md")
        #expect(names.name(of: "/projects/a.md") == "/projects/a.md")
    }

    @Test func `an address is shown in its short form, if any`() {
        let names = Names(folder: "/", shortForms: [("http://127.0.0.1:1/", "/")])
        #expect(names.name(of: "http://127.0.0.1:1/a?b") == "/a?b")
        #expect(names.name(of: "http://127.0.0.1:12/a") == "http://127.0.0.1:12/a")
    }
}
