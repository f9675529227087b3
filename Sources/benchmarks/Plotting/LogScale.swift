// LogScale: where numbers are on a logarithmic axis.

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

/// Where numbers are on a logarithmic axis, on which twice as much is the same distance everywhere.
struct LogScale {
    let domain: ClosedRange<Double>
    let start: Double
    let end: Double

    /// An axis from `start` to `end` with room for all the numbers, which must be positive.
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

    /// Where to draw lines: at 1, 2 and 5 of each decade.
    var ticks: [Double] {
        var ticks: [Double] = []
        var decade = Self.decade(domain.lowerBound)
        while decade <= domain.upperBound {
            ticks += [1, 2, 5].map { $0 * decade }.filter { domain ~= $0 }
            decade *= 10
        }
        return ticks
    }

    /// The largest power of ten that is not above. With some room for what is not exact in a logarithm.
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
