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
    /// Whether to measure once more, and then another time, what has missed a target, came close to it, or was noisy.
    let insists: Bool

    /// Even a busy machine does not disturb the same row so often.
    static let mostAttempts = 3

    /// The spread from which on something else must have had the processor, or the cache.
    static let mostSpread = 0.2

    /// Measures the rows of a group, as often as it takes.
    func outcomes(of rows: [Row]) -> [Outcome] {
        var attempts: [[Finding]] = []
        while true {
            attempts.append(measure(rows))
            let outcomes = judged(rows, attempts)
            let isDone = outcomes.allSatisfy { outcome in
                Self.noise(of: outcome.finding) < Self.mostSpread && outcome.verdicts.allSatisfy { $0.state == .met }
            }
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
            let calmest = findings.min { Self.noise(of: $0) < Self.noise(of: $1) }!
            return Outcome(finding: calmest, target: target, verdicts: combined)
        }
    }

    // Neither the best attempt nor the worst: the one to be believed.
    private static func noise(of finding: Finding) -> Double { finding.ours?.nanoseconds.spread ?? 0 }
}
