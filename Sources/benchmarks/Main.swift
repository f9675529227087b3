// benchmarks: measures the operations of Futures and compares them with alternatives.

/// The program. `swift run -c release benchmarks` measures and prints; with `--check` it fails if a target is missed.
@main
struct Main {
    static func main() {
        do {
            guard let options = try Options(CommandLine.arguments.dropFirst()) else { return print(Options.usage) }
            run(options)
        } catch {
            Terminal.fail(error.text + "\n" + Options.usage)
        }
    }

    private static func run(_ options: Options) {
        let selected = options.selected(from: chapters)
        guard !selected.isEmpty else {
            Terminal.fail(
                "No row has \"\(options.filter)\" in its name, or only long ones have, which --quick leaves "
                    + "out. The rows are:\n" + list(chapters.flatMap(\.rows).map(\.name)))
        }
        if options.lists { return print(selected.flatMap(\.rows).map(\.name).joined(separator: "\n")) }
        if let passes = options.passes { return exercise(selected, passes, options.side) }
        #if DEBUG
            Terminal.warn("A debug build says nothing about speed; run: swift run -c release benchmarks")
        #endif
        // Checked first, because measuring takes minutes.
        if let path = options.markdown, MarkdownReport.document(Files.read(path), with: "") == nil {
            Terminal.fail("\(path) lacks the lines \(MarkdownReport.start) and \(MarkdownReport.end).")
        }
        let measured = measure(selected, options)
        write(measured, options)
        if options.checks { check(measured.flatMap(\.outcomes)) }
    }

    /// Measures and prints the chapters one by one.
    private static func measure(_ chapters: [Chapter], _ options: Options) -> [MeasuredChapter] {
        let runner = Runner(effort: options.effort)
        let count = chapters.map(\.rows.count).reduce(0, +)
        var done = 0
        print(TextReport.heading)
        let session = Session(
            measure: { rows in
                Terminal.progress("\(done) of \(count) rows; now \(rows[0].series ?? rows[0].name)")
                defer { Terminal.progress("") }
                return runner.measure(rows)
            }, insists: options.checks)
        let measured = chapters.map { chapter in
            print("\n\(chapter.title.uppercased())")
            let outcomes = chapter.groups.flatMap { rows in
                let outcomes = session.outcomes(of: rows)
                done += rows.count
                for outcome in outcomes { print(TextReport.lines(of: outcome)) }
                return outcomes
            }
            return MeasuredChapter(title: chapter.title, outcomes: outcomes)
        }
        print("\n" + TextReport.legend)
        return measured
    }

    private static func write(_ chapters: [MeasuredChapter], _ options: Options) {
        let effort = options.effort.name
        if let path = options.json { save(JSONReport.document(chapters, effort: effort).text + "\n", path) }
        if let path = options.markdown {
            let table = MarkdownReport.text(chapters, effort: effort)
            if let text = MarkdownReport.document(Files.read(path), with: table) { save(text, path) }
        }
        if options.plots {
            if let svg = GrowthPlot.drawing(chapters) { save(svg.document, "Documentation/Guides/growth.svg") }
            if let svg = ComparisonPlot.drawing(chapters) { save(svg.document, "Documentation/Guides/comparison.svg") }
            if let svg = RequestPlot.drawing(chapters) { save(svg.document, "Documentation/Guides/request.svg") }
        }
    }

    private static func save(_ text: String, _ path: String) {
        if !Files.write(text, to: path) { Terminal.fail("\(path) cannot be written.") }
    }

    /// Exits with status 1 if a target was missed.
    private static func check(_ outcomes: [Outcome]) {
        func all(_ state: Verdict.State) -> [String] {
            outcomes.flatMap { outcome in
                outcome.verdicts.filter { $0.state == state }.map { "\(outcome.finding.row.name): \($0.text)" }
            }
        }
        let (doubts, misses) = (all(.doubtful), all(.missed))
        if !doubts.isEmpty { Terminal.warn("Too noisy to tell:\n" + list(doubts)) }
        guard misses.isEmpty else { Terminal.fail("Missed:\n" + list(misses), status: 1) }
        print(doubts.isEmpty ? "All targets met." : "No target was missed by more than the noise.")
    }

    /// Runs the workloads of `side`, or of all, without measuring, and prints the number of operations of each.
    private static func exercise(_ chapters: [Chapter], _ passes: Int, _ side: String?) {
        for row in chapters.flatMap(\.rows) {
            for contestant in row.contestants where contestant.side.name == side ?? contestant.side.name {
                contestant.prepare(passes)()
                print("\(passes * row.operations) operations: \(row.name), \(contestant.side.name)")
            }
        }
    }

    private static func list(_ lines: [String]) -> String {
        lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
