// Verdicts: met, missed, or hidden by noise.

import Testing

@testable import benchmarks

struct VerdictTests {
    private static func verdict(_ samples: [Double], of limit: Double) -> Verdict {
        .of(Samples(samples), limit, .ratio, "times CB")
    }

    @Test func `a ratio is missed if three rounds in four miss it`() {
        let verdict = Self.verdict([1.0, 1.7, 1.7, 1.8, 1.9], of: 1.6)
        #expect(verdict.state == .missed)
        #expect(verdict.text == "1.70 times CB, not 1.60")
    }

    @Test func `a ratio is met if three rounds in four meet it`() {
        #expect(Self.verdict([1.4, 1.5, 1.5, 1.6, 9], of: 1.6).state == .met)
    }

    @Test func `a limit between the quartiles is hidden by noise`() {
        let verdict = Self.verdict([1.4, 1.5, 1.6, 1.7, 1.8], of: 1.65)
        #expect(verdict.state == .doubtful)
        #expect(verdict.text == "1.60 times CB, give or take 6 %, where 1.65 is the target")
    }

    private static func verdict(_ state: Verdict.State, _ text: String = "x") -> Verdict {
        Verdict(aspect: .ratio, state: state, text: text)
    }

    @Test func `a target is missed if every attempt has missed it`() {
        let attempts = ["1", "2", "3"].map { Self.verdict(.missed, $0) }
        #expect(Verdict.combined(attempts) == Self.verdict(.missed, "3"))
        #expect(Verdict.combined([Self.verdict(.missed)]).state == .missed)
    }

    @Test func `a target is met if most attempts have met it`() {
        #expect(Verdict.combined([Self.verdict(.met)]).state == .met)
        #expect(Verdict.combined([.missed, .met, .met].map { Self.verdict($0) }).state == .met)
    }

    @Test func `attempts with different verdicts are a doubt that names each result`() {
        let combined = Verdict.combined([
            Self.verdict(.missed, "a"), Self.verdict(.met, "b"), Self.verdict(.missed, "a"),
        ])
        #expect(combined == Self.verdict(.doubtful, "a; then b"))
        #expect(Verdict.combined([.missed, .doubtful, .missed].map { Self.verdict($0) }).state == .doubtful)
    }
}
