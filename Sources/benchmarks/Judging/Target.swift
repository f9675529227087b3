// Target: the limits for the cost of a row.

/// The limits for the cost of a row.
struct Target: Sendable {
    struct Ratio: Sendable {
        let limit: Double
        let side: Side
    }

    /// The name of the row.
    let row: String
    /// The maximum number of allocations per operation.
    var mallocs: Double?
    /// The maximum ratio of Futures' time to that of another side.
    var ratio: Ratio?
    /// The maximum number of bytes held during a pass.
    var held: Int64?
    /// The maximum number of bytes left behind.
    var left: Int64?
    /// The name of a shorter row. This row may take at most `flatness` times as long per operation.
    var asFlatAs: String?
    /// The original value of a limit that was raised, and the reason for raising it.
    var remark: String?

    /// The tolerance for allocations per operation, one in twenty operations: arrays and tables grow with their number.
    static let sharedMallocs = 0.05

    /// The maximum ratio of times per operation that counts as flat. It exceeds 1 because a thousand operations fit
    /// into a cache and a hundred thousand do not. A search or a copy would take ten times as long at ten times the
    /// length.
    static let flatness = 2.0
}

extension Target {
    /// Returns the verdicts on a finding. `others` are the findings that were measured in the same rounds.
    func verdicts(of finding: Finding, beside others: [Finding]) -> [Verdict] {
        [
            ofRatio(finding), ofMallocs(finding),
            ofBytes(finding.ours?.held, held, .held, "held on the way"),
            ofBytes(finding.ours?.left, left, .left, "left behind"), ofFlatness(finding, others),
        ].compactMap(\.self)
    }

    private func ofRatio(_ finding: Finding) -> Verdict? {
        guard let ratio, let actual = finding.ratio(to: ratio.side) else { return nil }
        return .of(actual, ratio.limit, .ratio, "times \(ratio.side.name)")
    }

    private func ofMallocs(_ finding: Finding) -> Verdict? {
        guard let mallocs, let actual = finding.ours?.mallocs else { return nil }
        let isMet = actual <= mallocs + Self.sharedMallocs
        let text = "\(actual.decimals(2)) mallocs, \(isMet ? "of" : "not") \(mallocs.decimals(1))"
        return Verdict(aspect: .mallocs, state: isMet ? .met : .missed, text: text)
    }

    private func ofBytes(_ actual: Int64?, _ limit: Int64?, _ aspect: Verdict.Aspect, _ what: String) -> Verdict? {
        guard let actual, let limit else { return nil }
        let isMet = actual <= limit
        let text = "\(actual.asBytes) \(what), \(isMet ? "of" : "not") \(limit.asBytes)"
        return Verdict(aspect: aspect, state: isMet ? .met : .missed, text: text)
    }

    private func ofFlatness(_ finding: Finding, _ others: [Finding]) -> Verdict? {
        guard let asFlatAs, let long = finding.ours, let short = others.first(where: { $0.row.name == asFlatAs })?.ours
        else { return nil }
        return .of(long.ratio(to: short), Self.flatness, .flatness, "times \"\(asFlatAs)\"")
    }
}
