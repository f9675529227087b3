// LineNumbers: from offsets in a text to its lines.

/// The line numbers of offsets, starting with 1.
struct LineNumbers {
    private let starts: [Int]

    init(of bytes: Bytes) {
        var starts = [0]
        for index in bytes.indices where bytes[index] == "\n" { starts.append(index + 1) }
        self.starts = starts
    }

    /// Returns the line that contains the offset.
    ///
    /// - Complexity: O(log *n*) in the number of lines.
    subscript(offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }
}
