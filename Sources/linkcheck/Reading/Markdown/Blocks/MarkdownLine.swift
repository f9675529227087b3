// MarkdownLine: the position in a line of Markdown, in bytes and in columns.

/// A position in a line. Tabs advance to the next multiple of four columns, and may be consumed partially.
struct MarkdownLine {
    private(set) var index: Int
    private(set) var column = 0
    /// The offset after the line, without its line break.
    let end: Int

    init(_ range: Range<Int>, of text: Bytes) {
        index = range.lowerBound
        end = range.upperBound > index && text[range.upperBound - 1] == "\r" ? range.upperBound - 1 : range.upperBound
    }

    /// Returns the width of the whitespace at the position, and the offset of the first byte after it.
    func indentation(in text: Bytes) -> (width: Int, next: Int) {
        var (next, column) = (index, self.column)
        while next < end {
            switch text[next] {
            case " ": column += 1
            case "\t": column += 4 - column % 4
            default: return (column - self.column, next)
            }
            next += 1
        }
        return (column - self.column, next)
    }

    /// Consumes whitespace of up to `width` columns.
    mutating func skip(_ width: Int, in text: Bytes) {
        var rest = width
        while rest > 0, index < end {
            switch text[index] {
            case " ":
                index += 1
                column += 1
                rest -= 1
            case "\t":
                let stop = 4 - column % 4
                if stop <= rest { index += 1 }
                column += Swift.min(stop, rest)
                rest -= Swift.min(stop, rest)
            default: return
            }
        }
    }

    /// Moves to `index`, over text without tabs except for the whitespace at the position.
    mutating func move(to index: Int, in text: Bytes) {
        let (width, next) = indentation(in: text)
        column += width + (index - next)
        self.index = index
    }
}
