// Numbers: formats numbers as text.

extension Double {
    /// Returns the number with the given number of decimals, or `-` if it is not finite.
    func decimals(_ digits: Int) -> String {
        guard isFinite else { return "-" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * scale).rounded())
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return sign + String(scaled) }
        let text = String(repeating: "0", count: max(0, digits + 1 - String(scaled).count)) + String(scaled)
        return sign + text.dropLast(digits) + "." + text.suffix(digits)
    }

    /// The number as nanoseconds, without insignificant decimals: 8.3, 119, 53 230.
    var asNanoseconds: String {
        guard isFinite else { return "-" }
        if magnitude < 99.5 { return decimals(1) }
        let digits = decimals(0)
        return magnitude < 9999.5 ? digits : digits.dropLast(3) + " " + digits.suffix(3)
    }
}

extension Int64 {
    /// The number of bytes in KiB or MiB.
    var asBytes: String {
        magnitude < 1 << 20
            ? (Double(self) / 1024).decimals(1) + " KiB" : (Double(self) / 1_048_576).decimals(1) + " MiB"
    }
}

extension Samples {
    /// The spread in percent, such as `±3 %`.
    var spreadText: String { "±" + (spread * 100).decimals(0) + " %" }
}
