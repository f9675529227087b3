// Numbers as text.

import Testing

@testable import benchmarks

struct NumbersTests {
    @Test(
        arguments: [
            (1.005, 1, "1.0"), (0.05, 2, "0.05"), (-0.04, 1, "0.0"), (-1.26, 1, "-1.3"), (1234.5678, 0, "1235"),
            (.infinity, 2, "-"), (9.999, 2, "10.00"),
        ] as [(Double, Int, String)])
    func `a number has the requested number of decimals`(_ number: Double, _ digits: Int, _ text: String) {
        #expect(number.decimals(digits) == text)
    }

    @Test(
        arguments: [
            (8.31, "8.3"), (99.4, "99.4"), (99.6, "100"), (1234, "1234"), (9999.4, "9999"), (53_233.9, "53 234"),
        ] as [(Double, String)])
    func `nanoseconds have only significant digits`(_ number: Double, _ text: String) {
        #expect(number.asNanoseconds == text)
    }

    @Test func `bytes are KiB or MiB`() {
        #expect(Int64(1536).asBytes == "1.5 KiB")
        #expect(Int64(-512).asBytes == "-0.5 KiB")
        #expect(Int64(1 << 20).asBytes == "1.0 MiB")
    }

    @Test func `round numbers are short`() {
        #expect([7, 1000, 20_000, 1_000_000].map(\.short) == ["7", "1 k", "20 k", "1 M"])
    }
}
