// Links and anchors in Markdown.

import Testing

@testable import linkcheck

struct DocumentMarkdownTests {
    private func targets(_ markdown: String) -> [String] { Document(markdown: markdown).links.map(\.target) }

    @Test(
        arguments: [
            // Links and images are found, with titles and without.
            ("[a](one) ![b](two.png \"Two\") [c]( <three four> 'x' ) [d]()", ["one", "two.png", "three four", ""]),
            ("[![badge](badge.svg)](https://ci.example)", ["badge.svg", "https://ci.example"]),  // A second link.
            ("[a](x_(y).html), ([b](z))", ["x_(y).html", "z"]),  // A target can contain brackets.
            // A link text over two lines is one link.
            ("[two\nlines](one)", ["one"]),
            ("[two\n\nparagraphs](one)", []),
            // Definitions are links at their own lines.
            ("[a]: one\n  [b c]: <two> \"Title\"\n[d]:\n  three\n> [e]: four", ["one", "two", "three", "four"]),
            ("[^1]: see [x](y)\n\n[note]: this is a sentence", ["y"]),  // Footnotes and comments are not definitions.
            // Addresses in angle brackets are links.
            ("<https://a.example/x?y=1> <b@c.de> <ftp://f>", ["https://a.example/x?y=1", "mailto:b@c.de", "ftp://f"]),
            // Bare addresses are links without their sentence's punctuation.
            (
                "See https://a.example/b. (Or http://c.example/d_(e)!) **https://f.example**",
                ["https://a.example/b", "http://c.example/d_(e)", "https://f.example"]
            ),
            ("https:// is no address, nor is xhttp://a or ://b", []),
            ("[https://a.example](https://a.example)", ["https://a.example"]),  // It counts once.
            ("a ` b [c](1)\n\nd ` e", ["1"]),  // A single backtick hides nothing.
            ("a <!-- [b](1) --> [c](2)\n<!--\n[d](3)\n```\n--> [e](4)\n\n[f](5)", ["2", "5"]),  // In comments.
            // Links in indented code are ignored, as deep as their list.
            ("- a\n\n      [b](1)\n\n    [c](2)\n\n  [d](3)\n\n        [e](4)", ["2", "3"]),
            ("text\n    [a](1)\n\n\t[b](2)\n>     [c](3)\n> [d](4)", ["1", "4"]),
            // Raw HTML ends at a blank line, or where its element ends.
            ("<div>\n[a](1) <a href=2>\n\n[b](3)\n\n</div>\n[c](4)\n\n[d](5)", ["2", "3", "5"]),
            ("<script>\n\n[a](1)\n</script>\n[b](2)", ["2"]),
            ("<pre>\n<a href=1>\n\n[a](2)\n</pre> [b](3)\n[c](4)", ["1", "4"]),
            ("> [a\nb](1)\n- [c\nd](2)\n\n> - x\n[e](3)", ["1", "2", "3"]),  // A lazy line continues its paragraph.
            ("[a [b](1) c](2) [![d](3) ![e](4)](5)", ["1", "3", "4", "5"]),  // A link contains images, but no link.
            // A definition stands at the start of a paragraph.
            ("text\n[a]: 1\n\n[b]: 2 \"x\" y\n\n[c]: 3\n'x\ny'\n[d]: 4\n'x' y", ["3", "4"]),
            // Markup in a sentence ends with its mark, or is text.
            ("a <?<[b](1) ?> [c](2) <?> [d](3) <!X [e](4)> <![CDATA[[f](5)]]> [g](6) <? [h](7)", ["2", "3", "6", "7"]),
            // A tag in a sentence is valid, or text.
            ("a <a href=\"x> <a href='y'> <b <a href=z>", ["y", "z"]),
            ("a <a href='1'/> <a\nhref=2 > <img src='[b](3)'> <a.b [c](4)>", ["1", "2", "[b](3)", "4"]),
            ("\\[a](1) [b\\](2) [c](d\\_e)", ["d_e"]),  // A backslash escapes a bracket.
            ("A Future<Value> and Result<Value, any Error> see [a](b)", ["b"]),  // Generics are not unclosed tags.
            (#"[a]: b.\"#, [#"b.\"#]),  // A backslash may be the last character.
            // A link that refers to a definition contains no other link.
            ("[a [b] c](d)\n\n[b]: e", ["e"]),
            ("[a [b][no] c](d)\n\n[b]: e", ["d", "e"]),
            ("[a [b] c](d)\n\n[x]: e", ["d", "e"]),
        ] as [(String, [String])])
    func `links are found as GitHub shows them`(markdown: String, targets: [String]) {
        #expect(self.targets(markdown) == targets)
    }

    @Test func `links in code are ignored`() {
        let markdown = """
            `[a](1)` ``x ` [b](2)`` [c](3)

            ```swift
            [d](4) https://d.example
            ```

            ~~~
            [e](5)
            ```
            [f](6)
            ~~~

                [g](7)

            - item

              [h](8)
            - ```
              [i](9)
              ```
            > ```
            > [j](10)
            > ```
            [k](11)
            """
        #expect(targets(markdown) == ["3", "8", "11"])
    }

    @Test func `a heading may name its own anchor`() {
        #expect(Document(markdown: "## A b {#own .x}\n# C {#}").anchors == ["own", "a-b-own-x", "c-"])
        #expect(Document(markdown: "## A {#own}").hasAnchor("own"))
    }

    @Test func `HTML in Markdown is read as HTML`() {
        let document = Document(markdown: "Text <a name=here></a>\n<img src=\"a.png\"> the <script> tag [b](c)")
        #expect(document.links == [Link(target: "a.png", line: 2), Link(target: "c", line: 2)])
        #expect(document.anchors == ["here"])
    }

    @Test func `a heading becomes its anchor`() {
        let markdown = "# One\n## Two words ##\nThree\n=====\n\nFour\nlines\n---\n\n> ### Five\n- text\n"
        #expect(Document(markdown: markdown).anchors == ["one", "two-words", "three", "four-lines", "five"])
    }

    @Test func `a heading written as HTML becomes an anchor, numbered together with the others`() {
        let markdown = "<h2 align=center>My <b>Title</b> &amp; x</h2>\n\n## My Title & x\n> <h3\n>  id=own>Y</h3>\n"
        #expect(Document(markdown: markdown).anchors == ["my-title--x", "my-title--x-1", "own", "y"])
        #expect(Document(markdown: "## A\n\n<a name=n></a><h1>A</h1>").anchors == ["a", "n", "a-1"])
        let open = "<h1>a</h1>\n<h1>\n\n**b** c\n\n</h1>\n\nd\n<h2>e\n<h6>f"
        #expect(Document(markdown: open).anchors == ["a", "b-c", "e", "f"])
    }

    @Test func `YAML front matter is not read`() {
        let document = Document(markdown: "---\ntitle: a\nx: https://a.example\n---\n# A\n[b](c)")
        #expect(document.links == [Link(target: "c", line: 6)])
        #expect(document.anchors == ["a"])
        #expect(targets("---\r\nx: [a](1)\r\n...\r\n[b](2)") == ["2"])
        #expect(targets("---\n\n[a](1)\n\n---\n[b](2)") == ["1", "2"])
        #expect(targets("---\n[a](1)\n[b](2)") == ["1", "2"])
        #expect(targets("[a](1)\n\n---\n[b](2)\n\n---") == ["1", "2"])
    }

    @Test func `an anchor may have the prefix of GitHub's pages`() {
        let document = Document(markdown: "# A b\n<a name=C></a>")
        let found = ["a-b", "C", "b"].filter { document.hasAnchor("user-content-\($0)") }
        #expect(found == ["a-b", "C"])
        #expect(!Document(html: "<p id=a>").hasAnchor("user-content-a"))
    }

    @Test func `a heading in code is ignored`() {
        #expect(Document(markdown: "```\n# a\n```\n\n    # b\n\n#c\n####### d\n\n---\n").anchors == [])
    }
}
