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
            ("<math><![CDATA[><a href=1>]]></math><style/><a href=2>", []),
            // Scripts in SVG contain markup and have addresses.
            ("<svg><script><a href=1></script><script href=2 /></svg>", ["1", "2"]),
            ("<script href=1></script><a xlink:href=2>", []),
            // Links of drawings are found, and the newer attribute counts.
            (
                "<svg><a xlink:href=1></a><a href=2 xlink:href=3></a><feImage href=4 /><image href=5 /></svg>",
                ["1", "2", "4", "5"]
            ),
            ("<image src=1><image href=2>", ["1"]),
            // Elements of SVG and MathML that contain HTML are read as HTML.
            (
                "<svg><foreignObject><script/><a href=1></script><a href=2></foreignObject><a href=3 /><style/>",
                ["2", "3"]
            ),
            ("<svg><desc><style/><a href=1></style></desc><style/><a href=2>", ["2"]),
            ("<math><mi><style/><a href=1></style></mi><style/><img src=2>", ["2"]),
            ("<math><annotation-xml encoding='text/html'><title/><a href=1></title><a href=2>", ["2"]),
            ("<math><annotation-xml><![CDATA[><a href=1>]]></annotation-xml></math>", []),
            ("<svg><foreignObject></svg><title/><a href=1>", []),
            ("<svg><title><svg></title><title/><a href=1>", ["1"]),
            // Tags of HTML end SVG.
            ("<svg><g><p><title/><a href=1></title><a href=2>", ["2"]),
            ("<svg><g></div><title/><a href=1></title><a href=2>", ["2"]),
            ("<svg><font color=x><title/><a href=1></title>", []),
            ("<svg><font><title/><a href=1>", ["1"]),
            ("<svg/><title/><a href=1>", []),
            ("<svg></svg></svg></math><![CDATA[><a href=1>]]>", ["1"]),
            // A style in SVG ends with the next tag.
            ("<svg><style>a{b:url(1)}<![CDATA[c{d:url(2)}]]><!-- --></style><style>@import '3'", ["1", "2", "3"]),
        ] as [(String, [String])])
    func `links in drawings and formulas are found`(html: String, targets: [String]) {
        #expect(self.targets(html) == targets)
    }

    @Test func `a drawing in a sentence of Markdown is read as SVG`() {
        let markdown =
            "See <svg><use href='#a'/> <image href=b /> <title/> <a xlink:href=c>x</a></svg> [d](d) <a href=e> <use href=f>"
        #expect(Document(markdown: markdown).links.map(\.target) == ["#a", "b", "c", "d", "e"])
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

    @Test func `XLink has the prefix that a document declares`() {
        let svg =
            "<svg xmlns:xl='http://www.w3.org/1999/xlink' xmlns:y='z'><a xl:href='1'/><a y:href='2'/><a xlink:href='3'/>"
        #expect(file(svg, .svg).links.map(\.target) == ["1", "3"])
        #expect(targets(svg) == ["3"])
    }

    @Test func `an address in a sitemap may be character data`() {
        let map = "<loc> http://a.example/?a&amp;b </loc><loc><![CDATA[ http://b.example/?a&amp;b ]]></loc><loc/><loc>"
        #expect(file(map, .sitemap).links.map(\.target) == ["http://a.example/?a&b", "http://b.example/?a&amp;b"])
    }
}
