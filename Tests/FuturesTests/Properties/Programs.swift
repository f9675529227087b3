// Programs: random ones are checked, and those that fail are made smaller.

import Foundation
import Testing

protocol ProgramStep: Sendable {
    /// The steps that are a little simpler than this one.
    var smaller: [Self] { get }
}

extension Array where Element: ProgramStep {
    /// The programs with one step less than this one, at any depth, or with a simpler step.
    var smaller: [[Element]] {
        indices.map { Array(self[..<$0] + self[($0 + 1)...]) }
            + indices.flatMap { index in self[index].smaller.map { self[..<index] + [$0] + self[(index + 1)...] } }
    }
}

/// Checks programs until one fails, and reports a program with as few steps as possible that still fails.
///
/// The programs are always the same, unless `FUTURES_SEED` is `random`, for as many others, or a number that a failure
/// printed, for that program.
func checkPrograms<Step: ProgramStep>(
    _ count: Int, location: Testing.SourceLocation = #_sourceLocation, _ make: (SplitMix) -> [Step],
    complaint: ([Step]) -> String?
) {
    let chosen = ProcessInfo.processInfo.environment["FUTURES_SEED"]
    let one = chosen.flatMap(UInt64.init)
    let first = one ?? (chosen == "random" ? .random(in: 0...(.max / 2)) : 1_000_000)
    for seed in first..<(first + UInt64(one == nil ? count : 1)) {
        var program = make(SplitMix(seed))
        guard var fault = complaint(program) else { continue }
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in program.smaller {
                guard let other = complaint(candidate) else { continue }
                (program, fault, isSmaller) = (candidate, other, true)
                break
            }
        }
        Issue.record("seed \(seed): \(fault)", sourceLocation: location)
        return
    }
}
