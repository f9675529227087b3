// Verdicts: met, missed, or hidden by noise.

import Testing

@testable import benchmarks

struct VerdictTests {
    private static func verdict(_ samples: [Double], of limit: Double) -> Verdict {
        .of(Samples(samples), limit, .ratio, "times CB")
    }

    @Test(
        arguments: [
            ([1.0, 1.7, 1.7, 1.8, 1.9], Verdict.State.missed, "1.70 times CB, not 1.60"),
            ([1.4, 1.5, 1.5, 1.6, 9], .met, nil),
        ] as [([Double], Verdict.State, String?)])
    func `a ratio is met or missed if 3 rounds in 4 agree`(samples: [Double], state: Verdict.State, text: String?) {
        let verdict = Self.verdict(samples, of: 1.6)
        #expect(verdict.state == state)
        if let text { #expect(verdict.text == text) }
    }

    @Test func `a limit that is hidden by noise is shown with the noise`() {
        let verdict = Self.verdict([1.4, 1.5, 1.6, 1.7, 1.8], of: 1.65)
        #expect(
            verdict.state == .doubtful && verdict.text == "1.60 times CB, give or take 6 %, where 1.65 is the target")
    }
}
