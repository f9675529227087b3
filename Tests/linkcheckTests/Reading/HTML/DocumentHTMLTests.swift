// Links and anchors in HTML.

import Testing

@testable import linkcheck

struct DocumentHTMLTests {
    private func targets(_ html: String) -> [String] { Document(html: html).links.map(\.target) }

    @Test(
        arguments: [
            // A link is found with any quoting of its attribute.
            ("<a href=\"a\"><A HREF='b'><a href=c><a\nclass=x  href = d >", ["a", "b", "c", "d"]),
            ("<link rel=preconnect href=https://a.example><link rel='dns-prefetch' href=//b>", []),  // No links.
            // A script ends as in browsers, and so does a comment in it.
            ("<script>s = '</script-x><a href=1>'</script><a href=2>", ["2"]),
            ("<script><!-- <script> </script> <a href=1> --></script><a href=2>", ["2"]),
            ("<script><!-- </script><a href=1>", ["1"]),
            ("<script><!-- <script> </script> </script><a href=1>", ["1"]),
            ("<script><!-- <script> </script><a href=1>", []),
            ("<title></titles><a href=1></title><a href=2><script></script", ["2"]),
            // A malformed address in a style is ignored, as browsers do.
            ("<style>a{b:url(c d) url(e'f) url(g(h) url( i )}</style>", ["i"]),
            ("<style>@import 'a\n; @import 'b'; c{d:url('e\n) url('f')}</style>", ["b", "f"]),
            ("<a href='?a=1&amp;b=2&#38;c&#x26;d&copy=3'>", ["?a=1&b=2&c&d&copy=3"]),  // Entities are decoded.
            // Uses and images in SVG are links.
            ("<svg><use href='#a'/><use xlink:href=b.svg#c></use><image href=d /></svg>", ["#a", "b.svg#c", "d"]),
            // A comment may be empty, and one that is not closed ends the document.
            ("<!--><a href=1><!---><a href=2><!-- --!><a href=3><!-- <a href=4>", ["1", "2", "3"]),
            // A tag that is never closed ends the document, as in browsers.
            ("a < b <a href='x <a href=y", []),
            ("<a href=\"x> <a href='y'>", []),
            ("<><a><a ><a =><a href><a href=", [""]),
            ("<a href=1 href=2>", ["1"]),  // The first of two attributes with the same name counts.
            // A refresh is a link, unless it is one of the page itself.
            ("<meta http-equiv=Refresh content='0; url=next.html'>", ["next.html"]),
            ("<meta http-equiv=Refresh content='0,url = \"x\"y'><meta http-equiv=refresh content='5;'>", ["x"]),
            // The attributes of an end tag are not markup.
            ("</p a='><a href=1>'><a href=2></script x='><a href=3>'><a href=4></ p'><a href=5>", ["2", "4", "5"]),
            ("<a href=1></p x='<a href=2>", ["1"]),
            // What browsers do not show of frames and plain text is no markup.
            ("<iframe src=1><a href=2></iframe><noembed><a href=3></noembed><a href=4>", ["1", "4"]),
            ("<noframes><a href=1></noframes><noscript><a href=2></noscript>", ["2"]),
            ("<a href=1><plaintext></plaintext><a href=2>", ["1"]),
        ] as [(String, [String])])
    func `links are found as browsers find them`(html: String, targets: [String]) {
        #expect(self.targets(html) == targets)
    }

    @Test func `a link has the line of its target`() {
        let html = "<p>\n<a\n  class=x\n  href=one>\r\n<a href=two>"
        #expect(Document(html: html).links == [Link(target: "one", line: 4), Link(target: "two", line: 5)])
    }

    @Test func `images, scripts, styles and frames are links too`() {
        let html = """
            <img src=1><script src=2></script><link rel=stylesheet href=3><iframe src=4></iframe>
            <video src=5 poster=6><source src=7><area href=8>
            """
        #expect(targets(html) == ["1", "2", "3", "4", "5", "6", "7", "8"])
    }

    @Test func `each image of a set is a link`() {
        let html = "<img srcset='a.png 1x, b,c.png 2x,d.png, e.png'>"
        #expect(targets(html) == ["a.png", "b,c.png", "d.png", "e.png"])
        #expect(targets("<source srcset=', a 1x,b (x,y) 2x,,c'><link imagesrcset='d,e 2x'>") == ["a", "b", "c", "d,e"])
        #expect(targets("<img srcset='data:,a 1x, b'><img srcset=' '>") == ["data:,a", "b"])
    }

    @Test func `ids and the names of anchors are anchors`() {
        let html = "<h1 id=one><a name='two'><input name=three><a id='f&amp;g'>"
        #expect(Document(html: html).anchors == ["one", "two", "f&g"])
    }

    @Test func `addresses in styles are links`() {
        let html = """
            <style>a { background: url(1.png) }
            @import "2.css"; b { c: URL( '3.png' ) } /* url(4) */ d::before { content: "url(5)" }
            </style>
            <p style="background: url(&quot;6.png&quot;)"><body background=7.png>
            """
        #expect(
            Document(html: html).links == [
                Link(target: "1.png", line: 1), Link(target: "2.css", line: 2), Link(target: "3.png", line: 2),
                Link(target: "6.png", line: 4), Link(target: "7.png", line: 4),
            ])
    }
}
