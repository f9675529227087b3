// Link targets: the resolution of links on a page.

import Foundation
import Testing

@testable import linkcheck

struct LinkTargetTests {
    private let page = URL(string: "http://a.example/docs/page?x=1#y")!
    private let file = URL.file("/project/docs/page.md")

    private func web(_ address: String, _ fragment: String? = nil) -> LinkTarget {
        .web(URL(string: address)!, fragment: fragment)
    }

    @Test(
        arguments: [
            ("other.html", "http://a.example/docs/other.html"), ("/top", "http://a.example/top"),
            ("../up/", "http://a.example/up/"), ("?q", "http://a.example/docs/page?q"),
            ("//b.example/x", "http://b.example/x"), ("HTTP://B.Example:80", "http://b.example/"),
            ("https://b.example:443/a b", "https://b.example/a%20b"), (" x\n.html ", "http://a.example/docs/x.html"),
            ("https://b.example:8443/", "https://b.example:8443/"),
            ("ü x%20y?a=ä&b=%C3%A4", "http://a.example/docs/%C3%BC%20x%20y?a=%C3%A4&b=%C3%A4"),
            ("/100%?q[]=1|2", "http://a.example/100%25?q%5B%5D=1%7C2"),
            ("//bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
            ("http://[::1]:8080/[x]", "http://[::1]:8080/%5Bx%5D"),
            ("/a?u=http://x y/", "http://a.example/a?u=http://x%20y/"),
            ("1:2.html", "http://a.example/docs/1:2.html"), ("_a:b/c", "http://a.example/docs/_a:b/c"),
            ("%2e%2e/x", "http://a.example/x"), ("%2E/y/.%2e/%2e./z/%2e", "http://a.example/z/"),
            ("http://b.example/a/../b/./c/..", "http://b.example/b/"), ("http://b.example/../..", "http://b.example/"),
            ("//b.example/%2e%2e/x?%2e%2e/y", "http://b.example/x?%2e%2e/y"),
            ("/a%2e%2e/...", "http://a.example/a%2e%2e/..."),
            ("x y:z", "http://a.example/docs/x%20y:z"), ("?a:b", "http://a.example/docs/page?a:b"),
        ])
    func `a link on a page is resolved as a browser does`(text: String, expected: String) {
        #expect(LinkTarget(text, on: page) == web(expected))
    }

    @Test func `a fragment is separate from the address`() {
        #expect(LinkTarget("#part", on: page) == web("http://a.example/docs/page?x=1", "part"))
        #expect(LinkTarget("b.html#x%20y", on: page) == web("http://a.example/docs/b.html", "x%20y"))
        #expect(LinkTarget("b.html#", on: page) == web("http://a.example/docs/b.html", ""))
    }

    @Test(arguments: [
        "mailto:a@b.example", "tel:1", "DATA:text/plain,x", "javascript:void(0)", "sms:1", "about:blank",
        "gopher://a", "ftp://a.example/", "c:\\x", "x+y-z.1:",
    ])
    func `some kinds of links are not checked`(text: String) {
        #expect(LinkTarget(text, on: page) == .ignored)
        #expect(LinkTarget(text, on: file) == .ignored)
    }

    @Test(arguments: [
        "http://", "http://[::1", "http://a.example:99999/", "http://a.example:x/", "http:///x", "https:x",
    ])
    func `a malformed address is reported`(text: String) {
        #expect(LinkTarget(text, on: page) == .unusable("not a valid address"))
        #expect(LinkTarget(text, on: file) == .unusable("not a valid address"))
    }

    @Test func `a link in a file targets a file`() {
        #expect(LinkTarget("a%20b.md#x", on: file) == .file(["/project/docs/a b.md"], fragment: "x"))
        #expect(LinkTarget("../c.md?raw", on: file) == .file(["/project/c.md"], fragment: nil))
        #expect(LinkTarget("#x", on: file) == .file(["/project/docs/page.md"], fragment: "x"))
        #expect(LinkTarget("folder/", on: file) == .file(["/project/docs/folder"], fragment: nil))
        #expect(LinkTarget("file:///etc/hosts", on: file) == .file(["/etc/hosts"], fragment: nil))
        #expect(LinkTarget("file:///etc/hosts", on: page) == .ignored)
    }

    @Test func `a backslash in a path is a slash`() {
        #expect(LinkTarget(#"..\c.md"#, on: file) == .file(["/project/c.md"], fragment: nil))
        #expect(LinkTarget(#"b\c?x\y#z"#, on: page) == web("http://a.example/docs/b/c?x%5Cy", "z"))
        #expect(LinkTarget(#"https:\\b.example\x"#, on: page) == web("https://b.example/x"))
        #expect(LinkTarget(#"\\b.example\x"#, on: page) == web("http://b.example/x"))
    }

    @Test func `an absolute path is looked up in each root`() {
        let base = LinkBase(file, roots: ["/project/docs", "/project"])
        let expected = ["/project/docs/x.md", "/project/x.md"]
        #expect(LinkTarget("/x.md", on: base) == .file(expected, fragment: nil))
    }

    @Test func `a link in a file can target the web`() {
        #expect(LinkTarget("https://b.example", on: file) == web("https://b.example/"))
        #expect(LinkTarget("//b.example/x", on: file) == web("https://b.example/x"))
    }

    @Test(arguments: [
        ("/a/./b//../c/", "/a/c"), ("/..", "/"), ("/", "/"), ("/a/...", "/a/..."), ("/ä/b\u{301}", "/ä/b\u{301}"),
    ])
    func `a path is normalized without the file system`(path: String, expected: String) {
        #expect(FilePath.normal(path).utf8.elementsEqual(expected.utf8))
        #expect(FilePath.fileExtension(of: path + "/x.tar.gz") == "gz")
        #expect(FilePath.fileExtension(of: path + "/x.d/y") == "")
    }

    @Test func `a line of a file that is shown as plain text is no anchor`() {
        #expect(LinkTarget("c.md?plain=1#L3", on: file) == .file(["/project/docs/c.md"], fragment: nil))
        #expect(LinkTarget("c.md?x#L3", on: file) == .file(["/project/docs/c.md"], fragment: "L3"))
    }
}
