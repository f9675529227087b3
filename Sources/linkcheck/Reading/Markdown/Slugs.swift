// Slugs: generates the anchors of headings in the same way as GitHub.

/// Generates the anchors of one document. The second occurrence of a heading has the suffix `-1`, the third `-2`.
struct Slugs {
    private var counts: [String: Int] = [:]

    /// Returns the anchor of a heading's visible text.
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
        for scalar in heading.lowercased().unicodeScalars {
            if scalar == " " { slug.append("-") }
            if scalar == "-" || isWordPart(scalar) { slug.append(scalar) }
        }
        return String(slug)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(scalar.value).isWordPart }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
            return true
        default:
            return false
        }
    }
}
