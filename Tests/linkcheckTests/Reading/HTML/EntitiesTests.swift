// Entities: decoded once, or left unchanged.

import Testing

@testable import linkcheck

struct EntitiesTests {
    @Test(arguments: [
        ("a&amp;b", "a&b"), ("&lt;&gt;&quot;&apos;", "<>\"'"), ("&#65;&#x42;&#X43;", "ABC"),
        ("&eacute;", "é"),
        ("&amp;amp;", "&amp;"),
    ])
    func `an entity is decoded once`(text: String, expected: String) {
        #expect(text.decodingHTMLEntities() == expected)
    }

    @Test(arguments: [
        "&", "&;", "&nosuch;", "&#;", "&#x;", "&#99999999;", "&#xD800;", "a & b; c", "&copy=1", "&a&b",
    ])
    func `text that is not an entity is unchanged`(text: String) {
        #expect(text.decodingHTMLEntities() == text)
    }
}
