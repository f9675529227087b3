// MarkdownReport: the tables of Documentation/Maintainers/Measurements.md.

/// The tables of `Documentation/Maintainers/Measurements.md`.
enum MarkdownReport {
    static let start = "<!-- benchmarks -->"
    static let end = "<!-- /benchmarks -->"

    /// Returns all tables, preceded by the system that they were measured on.
    static func text(_ chapters: [MeasuredChapter], effort: String) -> String {
        var paragraphs = [
            "Measured on \(System.name), \(System.architecture), \(Terminal.processors) processors, with `\(effort)` effort. "
                + "**Bold** misses its target; ? means that the noise hides whether it does."
        ]
        for chapter in chapters { paragraphs += ["### \(chapter.title)", table(shown(chapter.outcomes))] }
        return paragraphs.joined(separator: "\n\n")
    }

    /// Returns the outcomes without those lengths of a series that have no target, except for the longest one.
    private static func shown(_ outcomes: [Outcome]) -> [Outcome] {
        outcomes.enumerated().filter { index, outcome in
            guard let series = outcome.finding.row.series, outcome.target == nil else { return true }
            return index + 1 == outcomes.count || outcomes[index + 1].finding.row.series != series
        }.map(\.element)
    }

    /// Returns `document` with `text` between its marks, or a new one if it is nil; nil if the document lacks the
    /// marks.
    static func document(_ document: String?, with text: String) -> String? {
        guard let document else { return text + "\n" }
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0 == start }), let last = lines.firstIndex(where: { $0 == end }),
            first < last
        else { return nil }
        return (lines[...first].map(String.init) + [text] + lines[last...].map(String.init)).joined(separator: "\n")
    }

    /// Returns a table of the rows of a chapter, without empty columns.
    static func table(_ outcomes: [Outcome]) -> String {
        let rows = outcomes.map { outcome in columns.map { $0.cell(outcome) } }
        let used = columns.indices.filter { column in column == 0 || rows.contains { !$0[column].isEmpty } }
        let heading = used.map { columns[$0].title }
        let rule = used.map { $0 == 0 ? "---" : "---:" }
        let lines = [heading, rule] + rows.map { row in used.map { row[$0] } }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}

extension MarkdownReport {
    private struct Column: Sendable {
        let title: String
        let cell: @Sendable (Outcome) -> String
    }

    private static let columns = [
        Column(title: "per operation") { $0.finding.row.name },
        Column(title: "Futures, ns", cell: nanoseconds),
        Column(title: "others, ns", cell: others),
        Column(title: "ratio", cell: ratio),
        Column(title: "mallocs") { outcome in
            let mallocs = outcome.finding.ours?.mallocs?.decimals(2)
            return judged(outcome, .mallocs, mallocs, outcome.target?.mallocs?.decimals(1))
        },
        Column(title: "held") { outcome in
            judged(outcome, .held, outcome.finding.ours?.held?.asBytes, outcome.target?.held?.asBytes)
        },
        Column(title: "left") { outcome in
            judged(outcome, .left, outcome.finding.ours?.left?.asBytes, outcome.target?.left?.asBytes)
        },
        Column(title: "flat", cell: flatness),
    ]

    @Sendable private static func nanoseconds(_ outcome: Outcome) -> String {
        guard let samples = outcome.finding.ours?.nanoseconds else { return "" }
        return samples.median.asNanoseconds + " " + samples.spreadText
    }

    @Sendable private static func others(_ outcome: Outcome) -> String {
        outcome.finding.results.filter { $0.side != .futures }.map { result in
            let memory = result.held.map { ", \($0.asBytes) held" } ?? ""
            return "\(result.side.name) \(result.nanoseconds.median.asNanoseconds)\(memory)"
        }.joined(separator: "<br>")
    }

    @Sendable private static func ratio(_ outcome: Outcome) -> String {
        guard let target = outcome.target?.ratio, let ratio = outcome.finding.ratio(to: target.side) else { return "" }
        let text = "\(ratio.median.decimals(2)) \(ratio.spreadText) \(target.side.name)"
        return judged(outcome, .ratio, text, target.limit.decimals(2))
    }

    @Sendable private static func flatness(_ outcome: Outcome) -> String {
        guard let verdict = outcome.verdicts.first(where: { $0.aspect == .flatness }) else { return "" }
        return marked(verdict.state, verdict.state == .met ? "yes" : verdict.text)
    }

    /// Returns the measurement, followed by its limit in parentheses. It is bold if it misses the target, and marked
    /// with ? if that is in doubt.
    private static func judged(
        _ outcome: Outcome, _ aspect: Verdict.Aspect, _ actual: String?, _ limit: String?
    ) -> String {
        guard let actual else { return "" }
        guard let limit else { return actual }
        let state = outcome.verdicts.first { $0.aspect == aspect }?.state ?? .met
        return marked(state, actual) + " (≤ \(limit))"
    }

    private static func marked(_ state: Verdict.State, _ text: String) -> String {
        switch state {
        case .met: text
        case .missed: "**\(text)**"
        case .doubtful: "\(text) ?"
        }
    }
}
