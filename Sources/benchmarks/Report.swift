// Report: the table as text.

/// The table as text: a line for each row, and below it one for each contestant.
enum Report {
    private static let columns = [10, 9, 8, 12, 10, 10]

    static let heading = line("", ["ns/op", "spread", "ratio", "spread", "mallocs", "held"])

    static let legend = """

        ns/op    nanoseconds per operation, the median of all rounds: processor time, or that on the wall for blocks and hops
        ratio    Futures' time divided by this line's in the same round: 2 is twice as long
        spread   half of the distance between the quartiles
        mallocs  allocations per operation, on all threads
        held     the most memory held on the way, where that is the point
        CB       a class with a mutex and a closure        RD  closures on a raw DispatchQueue
        SC       async functions, actors, continuations   [ ] the target
        """

    static func lines(of finding: Finding) -> String {
        let target = Targets.target(of: finding.row)
        let lines = finding.results.map { result in
            line("  " + result.side.rawValue, cells(result, finding, target))
        }
        return ([finding.row.name] + lines).joined(separator: "\n")
    }

    private static func cells(_ result: Finding.Result, _ finding: Finding, _ target: Targets?) -> [String] {
        let ours = result.side == .futures
        let ratio = finding.ratio(to: result.side)
        let limit = target?.ratio.flatMap { $0.side == result.side ? $0.limit : nil }
        return [
            result.nanoseconds.median.decimals(1),
            "±" + (result.nanoseconds.spread * 100).decimals(0) + " %",
            (ratio?.median.decimals(2) ?? ""),
            (ratio.map { "±" + ($0.spread * 100).decimals(0) + " %" } ?? "") + bracket(limit?.decimals(2)),
            (result.mallocs?.decimals(2) ?? "-") + (ours ? bracket(target?.mallocs?.decimals(1)) : ""),
            (result.growth?.asBytes ?? "") + (ours ? bracket(target?.growth?.asBytes) : ""),
        ]
    }

    private static func bracket(_ text: String?) -> String { text.map { " [\($0)]" } ?? "" }

    private static func line(_ title: String, _ cells: [String]) -> String {
        let padded = zip(cells, columns).map { cell, width in
            String(repeating: " ", count: max(1, width - cell.count)) + cell
        }
        return title + String(repeating: " ", count: max(0, 12 - title.count)) + padded.joined()
    }
}

extension Double {
    /// With so many digits behind the point.
    func decimals(_ digits: Int) -> String {
        guard isFinite else { return "-" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * scale).rounded())
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return sign + String(scaled) }
        let text = String(repeating: "0", count: max(0, digits + 1 - String(scaled).count)) + String(scaled)
        return sign + text.dropLast(digits) + "." + text.suffix(digits)
    }
}

extension Int64 {
    /// As KiB or MiB.
    var asBytes: String {
        magnitude < 1 << 20
            ? (Double(self) / 1024).decimals(1) + " KiB" : (Double(self) / 1_048_576).decimals(1) + " MiB"
    }
}
