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
        var text = ""
        let lines = ([header] + rows).map { row in row.map(\.printable) }
        let widths = header.indices.map { column in
            lines.lazy.map(\.[column].width).filter { $0 <= Self.maxWidth }.max() ?? 0
        }
        for line in lines {
            if !text.isEmpty { text += "\n" }
            // Padding is left out at the end of a line.
            var padding = 0
            for (cell, width) in zip(line, widths) {
                if cell.isEmpty {
                    padding += 2 + width
                } else {
                    text += String(repeating: " ", count: padding + 2) + cell
                    padding = max(0, width - cell.width)
                }
            }
        }
        return text
    }
}

extension String {
    /// The text on one line, with control and format characters replaced because they could manipulate a terminal, and
    /// without its middle if it has more than 300 characters.
    var printable: String {
        if utf8.count <= 300, isPlain { return self }
        var text = UnicodeScalarView()
        for scalar in (count > 300 ? prefix(200) + "…" + suffix(80) : self[...]).unicodeScalars {
            let category = scalar.properties.generalCategory
            let isPlain = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            text.append(isPlain ? scalar : "\u{FFFD}")
        }
        return String(text)
    }

    /// The number of characters. Counting them is much slower if not all are ASCII.
    fileprivate var width: Int { isPlain ? utf8.count : count }

    private var isPlain: Bool { utf8.allSatisfy { $0 >= " " && $0 < 0x7F } }
}
