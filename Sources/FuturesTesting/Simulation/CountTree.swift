// CountTree: counts in a row, of which the n-th unit is found in logarithmic time.

/// Counts in a row, as of the jobs of each scheduler: finds where the `n`-th unit is, and changes a count, in O(log
/// *n*).
///
/// A Fenwick tree: each of its sums is that of as many counts as the lowest bit of its place says.
struct CountTree: Sendable {
    /// At `index`, the sum of the counts from `index & (index + 1)` to `index`.
    private var sums: [Int] = []
    /// The sum of all counts.
    private(set) var total = 0

    /// Adds a count behind the others. On average, this takes constant time.
    mutating func append(_ count: Int) {
        let (start, end) = (sums.count & (sums.count + 1), sums.count)
        var (sum, part) = (count, end - 1)
        while part >= start {
            sum += sums[part]
            part = (part & (part + 1)) - 1
        }
        sums.append(sum)
        total += count
    }

    /// Changes the count at `index` by `difference`.
    mutating func add(_ difference: Int, at index: Int) {
        total += difference
        var index = index
        while index < sums.count {
            sums[index] += difference
            index |= index + 1
        }
    }

    /// Returns the index of the count with this unit, of all units from zero on, and the unit's number in that count.
    ///
    /// - Precondition: `unit` is less than `total`.
    func find(_ unit: Int) -> (index: Int, unit: Int) {
        var (start, rest) = (0, unit)
        var size = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
        while size > 0 {
            let end = start + size
            if end <= sums.count, sums[end - 1] <= rest {
                rest -= sums[end - 1]
                start = end
            }
            size /= 2
        }
        return (start, rest)
    }
}
