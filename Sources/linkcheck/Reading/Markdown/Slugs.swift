// Slugs: generates the anchors of headings in the same way as GitHub.

/// Generates the anchors of one document. The second occurrence of a heading has the suffix `-1`, the third `-2`.
struct Slugs {
    private var counts: [String: Int] = [:]

    mutating func slug(for heading: String) -> String {
        let base = Self.slug(for: heading)
        guard var count = counts[base] else {
            counts[base] = 0
            return base
        }
        var slug: String
        repeat {
            count += 1
            slug = "\(base)-\(count)"
        } while counts[slug] != nil
        counts[base] = count
        counts[slug] = 0
        return slug
    }

    /// Returns the heading in lower case, with hyphens for spaces, and without any other characters than letters,
    /// marks, digits, hyphens and connectors such as `_`.
    private static func slug(for heading: String) -> String {
        var slug = String.UnicodeScalarView()
        for scalar in plainText(of: heading).lowercased().unicodeScalars {
            if scalar == " " { slug.append("-") }
            if scalar == "-" || isWordPart(scalar) { slug.append(scalar) }
        }
        return String(slug)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
            true
        default:
            false
        }
    }
}

extension Slugs {
    /// Returns the visible text of a heading: without link targets, tags, images and marks of emphasis.
    static func plainText(of heading: String) -> String {
        var text = ""
        var rest = heading[...]
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                text.append(next)
                rest = rest.dropFirst(2)
            } else if let code = rest.prefixMatch(of: /(`+)(.+?)\1(?!`)/) {
                text += String(code.2).trimmed
                rest = rest[code.range.upperBound...]
            } else if let image = rest.prefixMatch(of: /!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/) {
                rest = rest[image.range.upperBound...]
            } else if let link = rest.prefixMatch(
                of: /\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*)\](\([^)]*\)|\[[^\]]*\])/)
            {
                text += plainText(of: String(link.1))
                rest = rest[link.range.upperBound...]
            } else if let tag = rest.prefixMatch(of: /<\/?[A-Za-z][^>]*>/) {
                rest = rest[tag.range.upperBound...]
            } else if character == "_", !(text.last?.isWordPart ?? false),
                let emphasis = rest.prefixMatch(of: /(_+)(\S|\S.*?\S)\1(?!\w)/)
            {
                text += plainText(of: String(emphasis.2))
                rest = rest[emphasis.range.upperBound...]
            } else {
                text.append(character)
                rest.removeFirst()
            }
        }
        return text.decodingHTMLEntities()
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
