// Targets: what each row may cost.

/// What each row may cost. The numbers are decided in the design; a miss is repaired or argued, not edited away.
struct Targets {
    /// The name of the row.
    let row: String
    /// Allocations per operation, where the closures capture nothing and the scheduler is named.
    var mallocs: Double?
    /// How many times as long as this side it may take.
    var ratio: (limit: Double, side: Side)?
    /// Bytes that may be held at most on the way.
    var growth: Int64?
    /// A shorter row, whose time per operation this longer one must keep.
    var asFlatAs: String?

    static let all = [
        Targets(row: "promise, one listener, complete", mallocs: 3, ratio: (1.6, .callback)),
        Targets(row: "10 maps pending, per map", mallocs: 1.1, ratio: (0.9, .callback)),
        Targets(row: "10 flatMaps to completed, per step", mallocs: 2.1, ratio: (1.2, .callback)),
        Targets(row: "1 block on one serial queue", mallocs: 4, ratio: (1.15, .dispatch)),
        Targets(row: "2 blocks on one serial queue", mallocs: 6, ratio: (1.15, .dispatch)),
        Targets(row: "3 blocks on one serial queue", mallocs: 8, ratio: (1.15, .dispatch)),
        Targets(row: "hop between two serial schedulers", mallocs: 1, ratio: (0.5, .dispatch)),
        Targets(row: "recursive flatMap, 1 M immediate steps", mallocs: 3, growth: 1 << 20),
        Targets(
            row: "recursive flatMap, 10 M immediate steps", mallocs: 3, growth: 1 << 20,
            asFlatAs: "recursive flatMap, 1 M immediate steps"),
        Targets(row: "FutureQueue, 1 k operations", mallocs: 4, ratio: (1.2, .dispatch)),
        Targets(
            row: "FutureQueue, 100 k operations", mallocs: 4, ratio: (1.2, .dispatch),
            asFlatAs: "FutureQueue, 1 k operations"),
        Targets(row: "FutureQueue, 1 k waiting behind one", mallocs: 4, ratio: (1.7, .dispatch)),
        Targets(
            row: "FutureQueue, 100 k waiting behind one", mallocs: 4, ratio: (1.7, .dispatch),
            asFlatAs: "FutureQueue, 1 k waiting behind one"),
    ]

    static func target(of row: Row) -> Targets? { all.first { $0.row == row.name } }
}

extension Targets {
    /// What one operation in a hundred may allocate beyond: arrays and tables that grow with the number of them.
    private static let sharedMallocs = 0.05
    /// How much longer per operation may count as flat: a thousand operations fit into a cache, a hundred thousand
    /// do not.
    private static let flatness = 1.5

    /// A sentence for each target that was missed.
    static func misses(of findings: [Finding]) -> [String] {
        findings.flatMap { finding in
            target(of: finding.row)?.misses(of: finding, among: findings).map { "\(finding.row.name): \($0)" }
                ?? []
        }
    }

    /// A sentence for each ratio of which the noise hides whether it was missed: no pass, and no reason to fail either.
    static func doubts(of findings: [Finding]) -> [String] {
        findings.compactMap { finding in
            guard let ratio = target(of: finding.row)?.ratio, let actual = finding.ratio(to: ratio.side),
                actual.quartiles.contains(ratio.limit)
            else { return nil }
            return "\(finding.row.name): \(actual.median.decimals(2)) times \(ratio.side.rawValue), give or take "
                + "\((actual.spread * 100).decimals(0)) %, where \(ratio.limit.decimals(2)) is the target"
        }
    }

    private func misses(of finding: Finding, among findings: [Finding]) -> [String] {
        [
            missedMallocs(finding), missedRatio(finding), missedGrowth(finding),
            missedFlatness(finding, findings),
        ].compactMap(\.self)
    }

    private func missedMallocs(_ finding: Finding) -> String? {
        guard let mallocs, let actual = finding.ours?.mallocs, actual > mallocs + Self.sharedMallocs else {
            return nil
        }
        return "\(actual.decimals(2)) mallocs, not \(mallocs.decimals(1))"
    }

    /// A ratio is missed if three rounds in four miss it.
    private func missedRatio(_ finding: Finding) -> String? {
        guard let ratio, let actual = finding.ratio(to: ratio.side), actual.quartiles.lowerBound > ratio.limit
        else {
            return nil
        }
        return "\(actual.median.decimals(2)) times \(ratio.side.rawValue), not \(ratio.limit.decimals(2))"
    }

    private func missedGrowth(_ finding: Finding) -> String? {
        guard let growth, let actual = finding.ours?.growth, actual > growth else { return nil }
        return "\(actual.asBytes) held on the way, not \(growth.asBytes)"
    }

    private func missedFlatness(_ finding: Finding, _ findings: [Finding]) -> String? {
        guard let asFlatAs, let short = findings.first(where: { $0.row.name == asFlatAs })?.ours,
            let long = finding.ours
        else { return nil }
        let ratio = long.nanoseconds.quartiles.lowerBound / short.nanoseconds.quartiles.upperBound
        return ratio > Self.flatness ? "\(ratio.decimals(2)) times \"\(asFlatAs)\", not flat" : nil
    }
}
