// Documents: their kinds and their anchors.

import Foundation
import Testing

@testable import linkcheck

struct DocumentTests {
    @Test func `a file's name determines its kind`() {
        let kinds = ["README.md", "b.markdown", "INDEX.HTM", "picture.png", "html"].map { name in
            DocumentKind(of: URL(filePath: "/a/\(name)"))
        }
        #expect(kinds == [.markdown, .markdown, .html, nil, nil])
    }

    @Test func `a fragment is found as it is written and decoded`() {
        let document = Document(html: "<p id='größe'><p id='a%20b'>")
        let found = ["größe", "gr%C3%B6%C3%9Fe", "a%20b", "other", "%zz"].filter { document.hasAnchor($0) }
        #expect(found == ["größe", "gr%C3%B6%C3%9Fe", "a%20b"])
        #expect(Document(html: "<p id='100% a'>").hasAnchor("100%%20a"))
    }

    @Test func `the top of a page and a text fragment need no anchor`() {
        let found = ["", "top", "Top", ":~:text=word", "part:~:text=word"].filter { Document().hasAnchor($0) }
        #expect(found == ["", "top", "Top", ":~:text=word"])
    }
}
