// Entities: decoded once, or left unchanged.

import Testing

@testable import linkcheck

struct EntitiesTests {
    private func decoded(_ text: String, as syntax: EntitySyntax = .html) -> String {
        let bytes = Bytes(text.utf8)
        return bytes.decodingEntities(in: bytes.indices, as: syntax)
    }

    @Test(arguments: [
        ("a&amp;b", "a&b"), ("&lt;&gt;&quot;&apos;", "<>\"'"), ("&#65;&#x42;&#X43;", "ABC"),
        ("&eacute;", "é"), ("&ecirc;&ensp;&Abreve;", "ê\u{2002}Ă"), ("&NotEqualTilde;", "\u{2242}\u{338}"),
        ("&CounterClockwiseContourIntegral;", "∳"), ("&amp;amp;", "&amp;"),
    ])
    func `an entity is decoded once`(text: String, expected: String) {
        #expect(decoded(text) == expected)
        #expect(decoded(text, as: .strict) == expected)
    }

    @Test(arguments: [
        "&", "&;", "&nosuch;", "&#;", "&#x;", "a & b; c", "&copy=1", "&a&b", "&copyx", "&copy1", "&notit;", "&ensp",
        "&CounterClockwiseContourIntegralx;",
    ])
    func `text that is not an entity is unchanged`(text: String) {
        #expect(decoded(text) == text)
        #expect(decoded(text, as: .strict) == text)
    }

    @Test(arguments: [
        ("&copy", "©"), ("&copy/", "©/"), ("a&ampb&amp b", "a&ampb& b"), ("&#65", "A"), ("&#x42g", "Bg"),
        ("&Aring.", "Å."),
    ])
    func `in HTML, some entities need no semicolon, unless they look like parameters`(text: String, expected: String) {
        #expect(decoded(text) == expected)
        #expect(decoded(text, as: .strict) == text)
    }
}
