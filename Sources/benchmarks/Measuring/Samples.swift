// Samples: many measurements of one thing, and what to believe of them.

/// Many measurements of one thing.
struct Samples: Sendable {
    let sorted: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "Nothing was measured.")
        sorted = values.sorted()
    }

    /// The one in the middle: a round in which somebody else had the processor does not move it.
    var median: Double { quantile(0.5) }

    /// From one quarter of the way to three quarters: half of the measurements are in there.
    var quartiles: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

    /// Half of the width of the quartiles, as a part of the median: what to allow for noise.
    var spread: Double { median == 0 ? 0 : (quartiles.upperBound - quartiles.lowerBound) / 2 / median.magnitude }

    private func quantile(_ part: Double) -> Double {
        let position = part * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return sorted[sorted.count - 1] }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (position - Double(index))
    }
}
