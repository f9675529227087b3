// Sessions: a row that misses its target is measured again.

import Testing

@testable import benchmarks

struct SessionTests {
    // A row whose target is a ratio to CB-full.
    private static let name = "promise, one listener, complete"
    private static let limit = Targets.all.first { $0.row == name }!.ratio!.limit

    /// Returns a finding whose ratio is `part` times the limit.
    private static func finding(_ part: Double) -> Finding {
        let nanoseconds = 10 * part * limit
        return .made(
            [(.futures, [nanoseconds, nanoseconds, nanoseconds]), (.fullCallback, [10, 10, 10])], named: name)
    }

    /// Returns the outcome and the number of attempts, if the attempts find these parts of the limit in order.
    private static func outcome(_ ratios: [Double], insists: Bool = true) -> (Outcome, attempts: Int) {
        var attempts = 0
        let session = Session(
            measure: { _ in
                defer { attempts += 1 }
                return [finding(ratios[attempts])]
            }, insists: insists)
        return (session.outcomes(of: [finding(1).row])[0], attempts)
    }

    @Test(
        arguments: [
            // It meets its target, misses it by chance, and misses it three times.
            ([0.9], .met), ([2, 0.9, 0.95], .met), ([1.1, 1.2, 1.15], .missed),
        ] as [([Double], Verdict.State)])
    func `a row that misses its target is measured three times`(ratios: [Double], state: Verdict.State) {
        let (outcome, attempts) = Self.outcome(ratios)
        #expect(attempts == ratios.count)
        #expect(outcome.verdicts.map(\.state) == [state])
        // The attempt that is shown has met it, too.
        #expect((outcome.finding.ratio(to: .fullCallback)!.median < Self.limit) == (state == .met))
    }

    @Test func `a noisy row is measured again, and the attempt with the least noise is shown`() {
        let spreads = [4.0, 1, 3, 0]
        var attempts = 0
        let session = Session(
            measure: { _ in
                defer { attempts += 1 }
                let spread = spreads[attempts]
                return [.made([(.futures, [5 - spread, 5, 5 + spread])], named: "without a target")]
            }, insists: true)
        let outcome = session.outcomes(of: [Finding.made([(.futures, [1])]).row])[0]
        #expect(attempts == 2)
        #expect(outcome.finding.ours?.nanoseconds.sorted == [4, 5, 6])
    }
}
