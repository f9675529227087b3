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
}
