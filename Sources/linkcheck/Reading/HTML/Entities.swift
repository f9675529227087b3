// Entities: decodes `&amp;`, `&#38;` and `&#x26;`.

extension Bytes {
    /// Returns the text of a range with its HTML entities decoded. Unknown entities remain as written.
    func decodingEntities(in range: Range<Int>) -> String {
        guard var entity = self[range].firstIndex(of: "&") else { return text(range) }
        var decoded = ""
        var start = range.lowerBound
        while entity < range.upperBound {
            // With `&` and `;`, the longest name has eight characters and the longest number has ten.
            let limit = Swift.min(entity + 12, range.upperBound)
            if let end = self[entity..<limit].firstIndex(of: ";"),
                let character = HTMLEntities.character(named: text(entity + 1..<end))
            {
                decoded += text(start..<entity) + character
                start = end + 1
            }
            let next = Swift.max(start, entity + 1)
            entity = self[next..<range.upperBound].firstIndex(of: "&") ?? range.upperBound
        }
        return decoded + text(start..<range.upperBound)
    }
}

extension String {
    /// Returns the text with its HTML entities decoded. Unknown entities remain as written.
    func decodingHTMLEntities() -> String {
        guard utf8.contains("&") else { return self }
        let bytes = Bytes(utf8)
        return bytes.decodingEntities(in: bytes.indices)
    }
}

enum HTMLEntities {
    /// Returns the character of an entity's name, such as `amp`, `#38` or `#x26`, or nil if there is none.
    static func character(named name: String) -> String? {
        guard name.hasPrefix("#") else { return characters[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// The entities that are common in addresses and headings.
    private static let characters = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "num": "#",
        "percnt": "%", "plus": "+", "sol": "/", "colon": ":", "quest": "?", "equals": "=", "lowbar": "_",
        "commat": "@", "period": ".", "comma": ",", "semi": ";", "excl": "!", "lpar": "(", "rpar": ")",
        "lsqb": "[", "rsqb": "]", "ast": "*", "dollar": "$", "Tab": "\t", "NewLine": "\n",
        "copy": "©", "reg": "®", "trade": "™", "hellip": "…", "ndash": "–", "mdash": "—", "middot": "·",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "shy": "\u{AD}",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "aring": "å", "oslash": "ø",
        "ntilde": "ñ",
    ]
}
