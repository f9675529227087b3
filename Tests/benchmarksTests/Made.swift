// Made: findings without measuring.

@testable import benchmarks

extension Finding {
    /// Returns the finding of a row with these nanoseconds for each side, round by round.
    static func made(
        _ results: [(Side, [Double])], named name: String = "row", series: String? = nil, operations: Int = 1,
        mallocs: Double? = nil, held: Int64? = nil, left: Int64? = nil
    ) -> Finding {
        let row = Row(
            name: name, operations: operations, series: series,
            contestants: results.map { side, _ in Contestant(side) { _ in } })
        let memory = held == nil && left == nil ? [] : [Memory(held: held ?? 0, left: left ?? 0)]
        return Finding(
            row: row,
            results: results.map { side, times in
                Result(side: side, turns: times.map { Turn(nanoseconds: $0, mallocs: mallocs) }, memory: memory)
            })
    }
}

extension Outcome {
    /// Returns the outcome of a finding after one attempt.
    static func made(_ finding: Finding, _ target: Target? = nil) -> Outcome {
        Outcome(finding: finding, target: target, verdicts: target?.verdicts(of: finding, beside: [finding]) ?? [])
    }
}
