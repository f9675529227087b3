// Entities: decodes `&amp;`, `&#38;` and `&#x26;`.

extension String {
    /// Returns the text with its HTML entities decoded. Unknown entities remain as written.
    func decodingHTMLEntities() -> String {
        guard contains("&") else { return self }
        var decoded = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            // With `&` and `;`, the longest name has eight characters and the longest number has ten.
            if let end = rest.prefix(12).firstIndex(of: ";"),
                let text = Self.entity(rest[rest.index(after: start)..<end])
            {
                decoded += text
                rest = rest[rest.index(after: end)...]
            } else {
                decoded.append(rest.removeFirst())
            }
        }
        return decoded + rest
    }

    private static func entity(_ name: Substring) -> String? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let isHex = digits.first == "x" || digits.first == "X"
            let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
        return entities[String(name)]
    }

    /// The entities that are common in addresses and headings.
    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "num": "#",
        "percnt": "%", "plus": "+", "sol": "/", "colon": ":", "quest": "?", "equals": "=", "lowbar": "_",
        "commat": "@", "period": ".", "comma": ",", "semi": ";", "excl": "!", "lpar": "(", "rpar": ")",
        "copy": "©", "reg": "®", "trade": "™", "hellip": "…", "ndash": "–", "mdash": "—", "middot": "·",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "shy": "\u{AD}",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "aring": "å", "oslash": "ø",
        "ntilde": "ñ",
    ]
}
