// LineTable: the lines of the source files, by addresses in a program.

/// Which line of which source file the code at an address is compiled from, out of the section `.debug_line`.
///
/// Builds with `-g` have that section: the debug builds of `swift build`, and its release builds too.
struct LineTable: Sendable {
    struct Row: Sendable {
        let address: UInt
        /// 0 if the code is the compiler's own.
        let line: Int32
        /// Where the name of the file starts.
        let file: Int
    }

    /// Rows in the order of their addresses. Each counts up to the next one; the last one is the end.
    struct Sequence: Sendable {
        let start: UInt
        let rows: Range<Int>
    }

    private var rows: [Row] = []
    /// In the order of their addresses.
    private var sequences: [Sequence] = []

    /// Reads the section `lines`, whose names of files may be in the section `texts`.
    ///
    /// - Complexity: O(*n*) in the size of the section, and O(*m* log *m*) in the number of sequences.
    init(_ bytes: UnsafeRawBufferPointer, lines: Range<Int>, texts: Range<Int>) {
        var reader = ByteReader(bytes, at: lines.lowerBound, end: lines.upperBound)
        while var program = LineProgram(bytes, &reader, texts: texts) {
            program.run { row, isEnd in
                rows.append(row)
                guard isEnd else { return }
                let start = sequences.last?.rows.upperBound ?? 0
                sequences.append(Sequence(start: rows[start].address, rows: start..<rows.count))
            }
        }
        sequences.sort { $0.start < $1.start }
    }

    /// The rows up to the one of the code at `address`, from the first one of its sequence; empty if there is none.
    ///
    /// - Complexity: O(log *n*), where *n* is the number of rows.
    func rows(upTo address: UInt) -> ArraySlice<Row> {
        guard let sequence = sequences.last(upTo: address, \.start),
            address < rows[sequence.rows.upperBound - 1].address
        else { return [] }
        return rows[sequence.rows].prefix(upTo: address, \.address)
    }

    /// The row of a call at `address` in the function that starts at `start`; nil if that is not known.
    ///
    /// The code there may be that of another function, which the compiler has moved into this one. Then it is the row
    /// of this function's own code before it, and `isExact` is false.
    func row(at address: UInt, in start: UInt) -> (row: Row, isExact: Bool)? {
        let rows = rows(upTo: address).drop { $0.address < start }
        // A function begins with its own code.
        guard let own = rows.first(where: { $0.line > 0 })?.file,
            let index = rows.lastIndex(where: { $0.line > 0 && $0.file == own })
        else { return nil }
        return (rows[index], index == rows.endIndex - 1)
    }
}

extension RandomAccessCollection {
    /// The last element of a sorted collection whose `key` is at most `limit`.
    ///
    /// - Complexity: O(log *n*), where *n* is the length of the collection.
    func last(upTo limit: UInt, _ key: KeyPath<Element, UInt>) -> Element? { prefix(upTo: limit, key).last }

    /// The elements of a sorted collection whose `key` is at most `limit`.
    ///
    /// - Complexity: O(log *n*), where *n* is the length of the collection.
    func prefix(upTo limit: UInt, _ key: KeyPath<Element, UInt>) -> SubSequence {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if self[middle][keyPath: key] <= limit { low = index(after: middle) } else { high = middle }
        }
        return self[..<low]
    }
}
