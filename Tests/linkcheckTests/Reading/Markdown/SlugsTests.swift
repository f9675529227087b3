// Slugs: the anchors that GitHub derives from headings.

import Testing

@testable import linkcheck

struct SlugsTests {
    @Test(arguments: [
        ("Hello World", "hello-world"), ("What's new?", "whats-new"), ("a - b", "a---b"),
        ("1.2 Setup", "12-setup"),
        ("snake_case", "snake_case"), ("_emphasis_ and **strong**", "emphasis-and-strong"),
        ("The `code(_:)` of `a_b`", "the-code_-of-a_b"), ("A [link](https://x.example/y)", "a-link"),
        ("A [link][ref] <b>bold</b>", "a-link-bold"), ("Größe & Maß", "größe--maß"), ("日本語", "日本語"),
        ("🎉 Party", "-party"), ("![logo](x.png) Title", "-title"), ("C\\# &amp; more", "c--more"),
        ("`Future<Value>`", "futurevalue"), ("", ""), ("a_b_ _c_d_ __e__", "a_b_-c_d-e"), ("_a __b__ c_", "a-b-c"),
        ("![![a](b)](c) d", "-d"), ("<a <b>", "a"), ("`` ` `` \\_a\\_", "--_a_"), ("[a [b](c)](d)", "a-bd"),
    ])
    func `a heading becomes its slug`(heading: String, expected: String) {
        #expect(Document(markdown: "# \(heading)\n\n[ref]: x").anchors == [expected])
    }

    @Test func `a repeated heading is numbered`() {
        var slugs = Slugs()
        let headings = ["A", "A", "A 1", "A", "a"]
        #expect(headings.map { slugs.slug(for: $0) } == ["a", "a-1", "a-1-1", "a-2", "a-3"])
    }
}
