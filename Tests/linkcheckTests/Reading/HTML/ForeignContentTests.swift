// SVG and MathML in HTML, and documents in XML.

import Testing

@testable import linkcheck

struct ForeignContentTests {
    private func targets(_ html: String, as syntax: HTMLTags.Syntax = .html) -> [String] {
        Document(html: Bytes(html.utf8), syntax: syntax).links.map(\.target)
    }

    private func file(_ text: String, _ kind: DocumentKind) -> Document { Document(Bytes(text.utf8), kind: kind) }

    @Test(
        arguments: [
            // In SVG, an element may close itself, and character data is text.
            ("<svg><style/><title/><script/><a href=1></svg><a href=2>", ["1", "2"]),
            ("<svg><![CDATA[><a href=1>]]><a href=2></svg><![CDATA[><a href=3>]]>", ["2", "3"]),
            ("<svg><script><a href=1></script><script href=2 /></svg>", ["1", "2"]),  // Scripts contain markup.
            // Links of drawings are found, and the newer attribute counts.
            ("<svg><a xlink:href=1 /><a href=2 xlink:href=3 /><feImage href=4 /><image href=5>", ["1", "2", "4", "5"]),
            // Elements of SVG and MathML that contain HTML are read as HTML.
            (
                "<svg><foreignObject><script/><a href=1></script><a href=2></foreignObject><a href=3 /><style/>",
                ["2", "3"]
            ),
            ("<svg><g><p><title/><a href=1></title><a href=2>", ["2"]),  // Tags of HTML end SVG.
            // A style in SVG ends with the next tag.
            ("<svg><style>a{b:url(1)}<![CDATA[c{d:url(2)}]]><!-- --></style><style>@import '3'", ["1", "2", "3"]),
        ] as [(String, [String])])
    func `links in drawings and formulas are found`(html: String, targets: [String]) {
        #expect(self.targets(html) == targets)
    }

    @Test func `XML has no elements whose content is no markup`() {
        let text = """
            <?xml version="1.0"?><html><head><title/><script src="1"/><style/></head>
            <body><p id="ok"/><a href="2&amp;&copy"/><![CDATA[<a href="3">]]><!--> <a href="4"/> --><?x <a href="5"> ?>
            """
        for kind in [DocumentKind.xhtml, .svg] {
            let document = file(text, kind)
            #expect(document.links.map(\.target) == ["1", "2&&copy"])
            #expect(document.anchors == ["ok"])
            #expect(document.kind == kind)
        }
        #expect(file(text, .html).links.map(\.target) == [])
    }

    @Test func `an address in a sitemap may be character data`() {
        let map = "<loc> http://a.example/?a&amp;b </loc><loc><![CDATA[ http://b.example/?a&amp;b ]]></loc><loc/><loc>"
        #expect(file(map, .sitemap).links.map(\.target) == ["http://a.example/?a&b", "http://b.example/?a&amp;b"])
    }
}
