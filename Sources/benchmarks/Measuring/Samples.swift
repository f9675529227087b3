// Samples: repeated measurements of one quantity, with their median and quartiles.

/// Repeated measurements of one quantity.
struct Samples: Sendable {
    let sorted: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "Nothing was measured.")
        sorted = values.sorted()
    }

    /// The median, which is robust against rounds in which another process had the processor.
    var median: Double { quantile(0.5) }

    /// The range between the lower and the upper quartile, which contains half of the measurements.
    var quartiles: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

    /// Half of the interquartile range, divided by the median: a measure of the noise.
    var spread: Double { median == 0 ? 0 : (quartiles.upperBound - quartiles.lowerBound) / 2 / median.magnitude }

    private func quantile(_ part: Double) -> Double {
        let position = part * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return sorted[sorted.count - 1] }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (position - Double(index))
    }
}
