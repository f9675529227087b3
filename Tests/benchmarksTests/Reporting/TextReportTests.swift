// Text reports: the table on the terminal.

import Testing

@testable import benchmarks

struct TextReportTests {
    @Test func `a row has a line for each contestant`() {
        let finding = Finding.made(
            [(.futures, [20, 20]), (.callback, [10, 10]), (.removingCallback, [14, 14])], named: "a row",
            mallocs: 3)
        let target = Target(row: "a row", mallocs: 3, ratio: .init(limit: 1.6, side: .callback))
        #expect(
            TextReport.lines(of: .made(finding, target)) == """
                a row
                  Futures          20.0     ±0 %                       3.00 [3.0]
                  CB               10.0     ±0 %    2.00  ±0 % [1.60]        3.00
                  CB+remove        14.0     ±0 %    1.43         ±0 %        3.00
                """)
    }
}
