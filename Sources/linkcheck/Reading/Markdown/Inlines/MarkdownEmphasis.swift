// MarkdownEmphasis: which underscores are marks of emphasis, and which are parts of words.

/// Pairs runs of underscores. An underscore is a mark only at the edge of a word.
struct MarkdownEmphasis {
    /// The runs that may open an emphasis, with what is left of them.
    private var open: [Range<Int>] = []

    /// Adds the next run. Returns the ranges of the marks if the run closes an emphasis.
    mutating func add(_ run: Range<Int>, in text: Bytes, _ range: Range<Int>) -> [Range<Int>] {
        let before = run.lowerBound > range.lowerBound ? text[run.lowerBound - 1] : " "
        let after = run.upperBound < range.upperBound ? text[run.upperBound] : " "
        var rest = run
        var marks: [Range<Int>] = []
        if !before.isSpace, !after.isWordPart {
            while !rest.isEmpty, let opening = open.popLast() {
                let count = min(opening.count, rest.count)
                marks.append(opening.upperBound - count..<opening.upperBound)
                marks.append(rest.lowerBound..<rest.lowerBound + count)
                rest = rest.lowerBound + count..<rest.upperBound
                if opening.count > count { open.append(opening.lowerBound..<opening.upperBound - count) }
            }
        }
        if !rest.isEmpty, !after.isSpace, !before.isWordPart { open.append(rest) }
        return marks
    }
}
