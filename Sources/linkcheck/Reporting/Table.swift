// Table: aligns columns of text.

/// Rows of text under a header.
struct Table: CustomStringConvertible {
    let header: [String]
    var rows: [[String]] = []

    /// The maximum width of a column. A longer cell overflows its column instead of widening it.
    private static let maxWidth = 60

    init(header: [String]) {
        self.header = header
    }

    var description: String {
        let lines = ([header] + rows).map { row in row.map(\.printable) }
        let widths = header.indices.map { column in
            lines.map(\.[column].count).filter { $0 <= Self.maxWidth }.max() ?? 0
        }
        return lines.map { line in
            var text = ""
            for (cell, width) in zip(line, widths) {
                text += "  " + cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text on one line, with control and format characters replaced because they could manipulate a terminal, and
    /// without its middle if it has more than 300 characters.
    fileprivate var printable: String {
        var text = UnicodeScalarView()
        for scalar in (count > 300 ? prefix(200) + "…" + suffix(80) : self[...]).unicodeScalars {
            let category = scalar.properties.generalCategory
            let isPlain = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            text.append(isPlain ? scalar : "\u{FFFD}")
        }
        return String(text)
    }
}
