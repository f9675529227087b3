// Charset: decodes the bytes of a document to UTF-8.

import Foundation

/// The character encoding of a document: that of its byte-order mark, of its Content-Type, or of its `meta` element.
enum Charset {
    /// Returns the text of a document as UTF-8, without a byte-order mark.
    ///
    /// Bytes that are invalid in their encoding are replaced. A document in an encoding that the system does not have
    /// is read as UTF-8, in which most links are still legible.
    static func decode(_ bytes: Bytes, declared: String?, isHTML: Bool) -> Bytes {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Bytes(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBigEndian: false) }
        let name = declared ?? (isHTML ? metaCharset(in: bytes) : nil)
        guard let name = name?.lowercased(), !["utf-8", "utf8", "us-ascii", "ascii", ""].contains(name) else {
            return bytes
        }
        if ["utf-16be", "utf-16", "utf-16le"].contains(name) {
            // A document that declares UTF-16 in legible ASCII is not UTF-16.
            return declared == nil ? bytes : utf16(bytes[...], isBigEndian: name == "utf-16be")
        }
        guard let encoding = encoding(named: name), let text = String(data: Data(bytes), encoding: encoding) else {
            return bytes
        }
        return Bytes(text.utf8)
    }

    /// Returns the charset in `text/html; charset=utf-8`, or nil if there is none.
    static func charset(inContentType type: String) -> String? {
        let bytes = Bytes(type.utf8)
        guard let name = Bytes(type.lowercased().utf8).firstIndex(of: "charset", in: bytes.indices) else { return nil }
        let equals = bytes.skip(from: name + 7) { $0.isSpace }
        guard equals < bytes.count, bytes[equals] == "=" else { return nil }
        let start = bytes.skip(from: equals + 1) { $0.isSpace || $0 == "\"" || $0 == "'" }
        let end = bytes.skip(from: start) { !$0.isSpace && $0 != "\"" && $0 != "'" && $0 != ";" }
        return start < end ? bytes.text(start..<end) : nil
    }
}

extension Charset {
    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Bytes {
        let bytes = Bytes(bytes)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Bytes(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Returns the charset that the first kilobyte of an HTML document declares.
    private static func metaCharset(in bytes: Bytes) -> String? {
        var tags = HTMLTags(bytes, in: 0..<min(bytes.count, 1024))
        while tags.next() {
            guard tags.isTag("meta") else { continue }
            if let charset = tags.value(of: "charset") { return charset.trimmed }
            let isType = tags.value(of: "http-equiv")?.lowercased() == "content-type"
            if isType, let content = tags.value(of: "content") { return charset(inContentType: content) }
        }
        return nil
    }

    private static func encoding(named name: String) -> String.Encoding? {
        switch name {
        // Browsers read the first two as the last.
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": .windowsCP1252
        case "iso-8859-2", "latin2": .isoLatin2
        case "windows-1250", "cp1250": .windowsCP1250
        case "windows-1251", "cp1251": .windowsCP1251
        case "windows-1253", "cp1253": .windowsCP1253
        case "windows-1254", "cp1254", "iso-8859-9": .windowsCP1254
        case "shift_jis", "shift-jis", "sjis", "windows-31j", "x-sjis": .shiftJIS
        // Not on Linux, where CoreFoundation cannot read it.
        case "euc-jp": .japaneseEUC
        case "iso-2022-jp": .iso2022JP
        case "gb2312", "gbk", "gb18030": coreFoundation(0x0632)
        case "big5": coreFoundation(0x0A03)
        case "euc-kr", "ks_c_5601-1987": coreFoundation(0x0940)
        case "koi8-r": coreFoundation(0x0A02)
        case "iso-8859-15": coreFoundation(0x020F)
        default: nil
        }
    }

    /// Returns the encoding with a number of CoreFoundation, which has more encodings than `String.Encoding` has names.
    private static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }
}
