// benchmarks: what the operations of Futures cost, beside what they cost by hand.

/// `swift run -c release benchmarks`: measures, prints, and under `--check` fails if a target is missed.
@main
struct Main {
    static func main() {
        let options = Options.ofThisProcess()
        #if DEBUG
            Terminal.warn("A debug build says nothing about speed; run: swift run -c release benchmarks")
        #endif
        let rows = allRows.filter(options.selects)
        guard !rows.isEmpty else {
            Terminal.fail(
                "No row has \"\(options.filter)\" in its name, or only long ones have, which --quick leaves "
                    + "out. The rows are:\n" + list(allRows.map(\.name)))
        }
        print(Report.heading)
        let runner = Runner(effort: options.effort)
        var findings: [Finding] = []
        for row in rows {
            let finding = runner.measure(row)
            print(Report.lines(of: finding))
            findings.append(finding)
        }
        print(Report.legend)
        if options.checks { check(findings) }
    }

    /// The rows, one family after the other.
    private static let allRows = [promiseRows, mapRows, flatMapRows, hopRows, recursionRows, queueRows]
        .flatMap(\.self)

    private static func check(_ findings: [Finding]) {
        let doubts = Targets.doubts(of: findings)
        if !doubts.isEmpty { Terminal.warn("Too noisy to tell:\n" + list(doubts)) }
        let misses = Targets.misses(of: findings)
        guard misses.isEmpty else { Terminal.fail("Missed:\n" + list(misses), status: 1) }
        print(doubts.isEmpty ? "All targets met." : "No target missed, as far as the noise lets us tell.")
    }

    private static func list(_ lines: [String]) -> String {
        lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
