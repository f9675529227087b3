// Session: measures one row after the other, and judges them.

/// What was measured of a row, and what became of its targets.
struct Outcome: Sendable {
    let finding: Finding
    let target: Target?
    let verdicts: [Verdict]
}

/// Measures one row after the other.
struct Session {
    /// Measures some rows in turns, a row or a series.
    let measure: ([Row]) -> [Finding]
    /// Whether to measure once more, and then another time, what has missed a target or came close to it.
    let insists: Bool

    /// Even a busy machine does not disturb the same row so often.
    static let mostAttempts = 3

    /// Measures the rows of a group, as often as it takes.
    func outcomes(of rows: [Row]) -> [Outcome] {
        var attempts: [[Finding]] = []
        while true {
            attempts.append(measure(rows))
            let outcomes = judged(rows, attempts)
            let isDone = outcomes.allSatisfy { $0.verdicts.allSatisfy { $0.state == .met } }
            if !insists || isDone || attempts.count == Self.mostAttempts { return outcomes }
        }
    }

    private func judged(_ rows: [Row], _ attempts: [[Finding]]) -> [Outcome] {
        rows.indices.map { index in
            let target = Targets.target(of: rows[index])
            let findings = attempts.map { $0[index] }
            let verdicts = zip(findings, attempts).map { target?.verdicts(of: $0, beside: $1) ?? [] }
            let combined = Verdict.Aspect.allCases.compactMap { aspect in
                let same = verdicts.compactMap { $0.first { $0.aspect == aspect } }
                return same.isEmpty ? nil : Verdict.combined(same)
            }
            return Outcome(finding: Self.middle(findings, target), target: target, verdicts: combined)
        }
    }

    /// The attempt to be shown: neither the best nor the worst.
    private static func middle(_ findings: [Finding], _ target: Target?) -> Finding {
        func key(_ finding: Finding) -> Double {
            target?.ratio.flatMap { finding.ratio(to: $0.side)?.median } ?? finding.ours?.nanoseconds.median ?? 0
        }
        return findings.sorted { key($0) < key($1) }[(findings.count - 1) / 2]
    }
}
