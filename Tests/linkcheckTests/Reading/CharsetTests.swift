// Charsets: the encodings of documents.

import Testing

@testable import linkcheck

struct CharsetTests {
    private func decode(_ bytes: [UInt8], _ declared: String? = nil, isHTML: Bool = true) -> String {
        String(decoding: Charset.decode(bytes, declared: declared, isHTML: isHTML), as: UTF8.self)
    }

    @Test func `a byte-order mark takes precedence over what is declared`() {
        #expect(decode([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "utf-8") == "a😀")
        #expect(decode([0xFF, 0xFE, 0x61, 0, 0x62], "latin1") == "a")
    }

    @Test(
        arguments: [
            ("ISO-8859-1", [0xE9, 0x80], "é€"), ("windows-1251", [0xCF], "П"), ("Shift_JIS", [0x93, 0xFA], "日"),
            ("UTF-16BE", [0x65, 0xE5], "日"), ("utf-16le", [0xE5, 0x65], "日"),
            ("UTF-8", [0xC3, 0xA9], "é"), ("x-unknown", [0xC3, 0xA9], "é"), ("gbk", [0xC8, 0xD5], "日"),
            ("koi8-r", [0xF0], "П"), ("big5", [0xA4, 0xE9], "日"), ("euc-kr", [0xEC, 0xED], "日"),
        ] as [(String, [UInt8], String)])
    func `a declared charset is used`(name: String, bytes: [UInt8], text: String) {
        #expect(decode(bytes, name) == text)
    }

    @Test func `a page may declare its charset itself`() {
        #expect(decode(Array("<meta charset=latin1>".utf8) + [0xE9]).hasSuffix("é"))
        let type = "<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>"
        #expect(decode(Array(type.utf8) + [0x93, 0xFA]).hasSuffix("日"))
        // It is legible, so it cannot be true.
        #expect(decode(Array("<meta charset=utf-16>a".utf8)).hasSuffix("a"))
        #expect(decode(Array("<meta charset=latin1>".utf8) + [0xC3, 0xA9], isHTML: false).hasSuffix("é"))
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "utf-8"), ("text/html;CHARSET = \"x y\"; a", "x"), ("text/html", nil),
        ("text/html; charset", nil), ("text/html; charset=", nil),
    ])
    func `a content type may have a charset`(type: String, charset: String?) {
        #expect(Charset.charset(inContentType: type) == charset)
    }
}
