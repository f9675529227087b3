// Samples: many measurements of one thing, and what to believe of them.

/// Many measurements of one thing.
struct Samples {
    private(set) var sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    /// The one in the middle: a round in which somebody else had the processor does not move it.
    var median: Double { quantile(0.5) }

    /// From one quarter of the way to three quarters: half of the measurements are in there.
    var quartiles: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

    /// Half of the width of the quartiles, as a part of the median: what to allow for noise.
    var spread: Double { median == 0 ? 0 : (quartiles.upperBound - quartiles.lowerBound) / 2 / median }

    private func quantile(_ part: Double) -> Double {
        guard let last = sorted.last else { return .nan }
        let position = part * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (position - Double(index))
    }
}
