// Session: measures rows one group after the other, and judges the results.

/// The measurements of a row, its target, and the verdicts on it.
struct Outcome: Sendable {
    let finding: Finding
    let target: Target?
    let verdicts: [Verdict]
}

/// Measures rows group by group, and judges the results.
struct Session {
    /// Measures the rows of a group in turns: a single row or a series.
    let measure: ([Row]) -> [Finding]
    /// Whether to measure a group again, up to `mostAttempts` times in all, until it is not noisy and all targets are
    /// met.
    let insists: Bool

    /// The maximum number of attempts. Even a busy machine is unlikely to disturb the same row that often.
    static let mostAttempts = 3

    /// The spread from which a measurement counts as noisy: another process must have used the processor or the cache.
    static let mostSpread = 0.2

    /// Measures the rows of a group, repeatedly if `insists` is true, and returns their outcomes.
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
            // An attempt that contradicts the verdicts is reported only if all do.
            let agreeing = zip(findings, verdicts).filter { $1.map(\.state) == combined.map(\.state) }.map(\.0)
            let candidates = agreeing.isEmpty ? findings : agreeing
            let calmest = candidates.min { Self.noise(of: $0) < Self.noise(of: $1) }!
            return Outcome(finding: calmest, target: target, verdicts: combined)
        }
    }

    // The attempt with the least noise is reported, not the fastest or the slowest one.
    private static func noise(of finding: Finding) -> Double { finding.ours?.nanoseconds.spread ?? 0 }
}
