// LogScale: the positions of numbers on a logarithmic axis.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(ucrt)
    import ucrt
#endif

/// The positions of numbers on a logarithmic axis, on which equal ratios have equal distances.
struct LogScale {
    let domain: ClosedRange<Double>
    let start: Double
    let end: Double

    /// Creates an axis from `start` to `end` whose domain contains all of `numbers`.
    ///
    /// - Precondition: `numbers` is not empty, and all numbers are positive and finite.
    init(_ numbers: [Double], from start: Double, to end: Double) {
        precondition(!numbers.isEmpty && numbers.allSatisfy { $0 > 0 && $0.isFinite })
        let (least, most) = (Self.below(numbers.min()!), Self.above(numbers.max()!))
        domain = least...(most > least ? most : 2 * least)
        self.start = start
        self.end = end
    }

    func position(_ number: Double) -> Double {
        let part = log(number / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
        return start + part * (end - start)
    }

    /// The numbers at which to draw lines: 1, 2 and 5 times each power of ten.
    var ticks: [Double] {
        var ticks: [Double] = []
        var decade = Self.decade(domain.lowerBound)
        while decade <= domain.upperBound {
            ticks += [1, 2, 5].map { $0 * decade }.filter { domain ~= $0 }
            decade *= 10
        }
        return ticks
    }

    /// Returns the largest power of ten that is at most `number`, with a tolerance for rounding in the logarithm.
    private static func decade(_ number: Double) -> Double { pow(10, (log10(number) + 1e-9).rounded(.down)) }

    private static func below(_ number: Double) -> Double {
        let decade = decade(number)
        return [5, 2, 1].map { $0 * decade }.first { $0 <= number * 1.000001 }!
    }

    private static func above(_ number: Double) -> Double {
        let decade = decade(number)
        return [1, 2, 5, 10].map { $0 * decade }.first { $0 >= number * 0.999999 }!
    }
}
