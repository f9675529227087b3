// Documents: their kinds and their anchors.

import Foundation
import Testing

@testable import linkcheck

struct DocumentTests {
    @Test func `a file's name determines its kind`() {
        #expect(DocumentKind(of: URL(filePath: "/a/README.md")) == .markdown)
        #expect(DocumentKind(of: URL(filePath: "/a/b.markdown")) == .markdown)
        #expect(DocumentKind(of: URL(filePath: "/a/INDEX.HTM")) == .html)
        #expect(DocumentKind(of: URL(filePath: "/a/picture.png")) == nil)
        #expect(DocumentKind(of: URL(filePath: "/a/html")) == nil)
    }

    @Test func `a page's content type determines its kind`() {
        #expect(DocumentKind(contentType: "text/html; charset=utf-8") == .html)
        #expect(DocumentKind(contentType: "Application/XHTML+xml") == .xhtml)
        #expect(DocumentKind(contentType: "image/png") == nil)
        #expect(DocumentKind(contentType: "") == nil)
    }

    @Test func `a fragment is found as it is written and decoded`() {
        let document = Document(html: "<p id='größe'><p id='a%20b'>")
        #expect(document.hasAnchor("größe"))
        #expect(document.hasAnchor("gr%C3%B6%C3%9Fe"))
        #expect(document.hasAnchor("a%20b"))
        #expect(!document.hasAnchor("other"))
        #expect(!document.hasAnchor("%zz"))
        #expect(Document(html: "<p id='100% a'>").hasAnchor("100%%20a"))
    }

    @Test func `the top of a page and a text fragment need no anchor`() {
        let document = Document()
        #expect(document.hasAnchor(""))
        #expect(document.hasAnchor("top"))
        #expect(document.hasAnchor("Top"))
        #expect(document.hasAnchor(":~:text=word"))
        #expect(!document.hasAnchor("part:~:text=word"))
    }

    @Test(arguments: [DocumentKind.html, .markdown])
    func `binary data is read without a crash`(kind: DocumentKind) {
        var state: UInt64 = 42
        for length in 0..<200 {
            let junk = Bytes(
                (0..<length).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 33)
                })
            _ = Document(junk, kind: kind)
        }
    }

    @Test(arguments: [DocumentKind.html, .markdown])
    func `any mixture of markup is read without a crash`(kind: DocumentKind) {
        let pieces = [
            "<", ">", "a", " href=", "\"", "'", "=", "/", "!--", "--", "[", "]", "(", ")", "`", "```", "\n",
            "\\",
            "#", "&", ";", ":", "https://", "<script>", "</", "-", " ", "\u{FFFD}", "_", "*", "|", "\r", "\t",
            "1.",
        ]
        var state: UInt64 = 7
        for _ in 0..<1000 {
            var text = ""
            for _ in 0..<30 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            let document = Document(Bytes(text.utf8), kind: kind)
            #expect(document.links.allSatisfy { $0.line >= 1 && $0.line <= text.utf8.count { $0 == 10 } + 1 })
        }
    }
}
