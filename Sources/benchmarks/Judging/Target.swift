// Target: what a row may cost.

/// What a row may cost.
struct Target: Sendable {
    struct Ratio: Sendable {
        let limit: Double
        let side: Side
    }

    /// The name of the row.
    let row: String
    /// Allocations per operation.
    var mallocs: Double?
    /// How many times as long as somebody else it may take.
    var ratio: Ratio?
    /// Bytes that may be held at most on the way.
    var held: Int64?
    /// Bytes that may be left behind.
    var left: Int64?
    /// A shorter row, whose time per operation this longer one must keep.
    var asFlatAs: String?
    /// Where a number was raised: from which, and why.
    var remark: String?

    /// What one operation in twenty may allocate beyond: arrays and tables that grow with the number of them.
    static let sharedMallocs = 0.05

    /// How much longer per operation may count as flat: a thousand operations fit into a cache, a hundred thousand
    /// do not. What searches or copies would take ten times as long at ten times the length.
    static let flatness = 2.0
}

extension Target {
    /// What to say of a finding; `others` were measured in the same rounds.
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
