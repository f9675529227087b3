// JSONReport: the measurements as JSON, for other programs.

/// The outcomes of a chapter.
struct MeasuredChapter: Sendable {
    let title: String
    let outcomes: [Outcome]
}

/// The measurements as JSON, for other programs.
enum JSONReport {
    /// Returns the whole report. The value of `format` changes when the meaning of a field changes.
    static func document(_ chapters: [MeasuredChapter], effort: String) -> JSON {
        .object([
            ("format", .number(1)),
            ("effort", .string(effort)),
            ("system", .string(System.name)),
            ("architecture", .string(System.architecture)),
            ("processors", .number(Double(Terminal.processors))),
            (
                "rows",
                .array(chapters.flatMap { chapter in chapter.outcomes.map { row($0, in: chapter.title) } })
            ),
        ])
    }

    private static func row(_ outcome: Outcome, in chapter: String) -> JSON {
        let finding = outcome.finding
        var fields: [(String, JSON)] = [
            ("name", .string(finding.row.name)),
            ("chapter", .string(chapter)),
            ("operations", .number(Double(finding.row.operations))),
        ]
        if let series = finding.row.series { fields.append(("series", .string(series))) }
        fields.append(("results", .array(finding.results.map { result($0, finding) })))
        if let target = outcome.target { fields.append(("target", self.target(target))) }
        fields.append(("verdicts", .array(outcome.verdicts.map(verdict))))
        return .object(fields)
    }

    private static func result(_ result: Finding.Result, _ finding: Finding) -> JSON {
        var fields: [(String, JSON)] = [
            ("side", .string(result.side.name)),
            ("rounds", .number(Double(result.turns.count))),
            ("nanoseconds", samples(result.nanoseconds)),
            ("mallocs", .optional(result.mallocs)),
        ]
        if let ratio = finding.ratio(to: result.side) { fields.append(("ratio", samples(ratio))) }
        if let held = result.held { fields.append(("held", .number(Double(held)))) }
        if let left = result.left { fields.append(("left", .number(Double(left)))) }
        return .object(fields)
    }

    private static func samples(_ samples: Samples) -> JSON {
        .object([
            ("median", .number(samples.median)),
            ("lowerQuartile", .number(samples.quartiles.lowerBound)),
            ("upperQuartile", .number(samples.quartiles.upperBound)),
        ])
    }

    private static func target(_ target: Target) -> JSON {
        var fields: [(String, JSON)] = []
        if let mallocs = target.mallocs { fields.append(("mallocs", .number(mallocs))) }
        if let ratio = target.ratio {
            fields.append(("ratio", .number(ratio.limit)))
            fields.append(("ratioTo", .string(ratio.side.name)))
        }
        if let held = target.held { fields.append(("held", .number(Double(held)))) }
        if let left = target.left { fields.append(("left", .number(Double(left)))) }
        if let other = target.asFlatAs { fields.append(("asFlatAs", .string(other))) }
        if let remark = target.remark { fields.append(("remark", .string(remark))) }
        return .object(fields)
    }

    private static func verdict(_ verdict: Verdict) -> JSON {
        .object([
            ("aspect", .string("\(verdict.aspect)")), ("state", .string("\(verdict.state)")),
            ("text", .string(verdict.text)),
        ])
    }
}

/// The platform that the program runs on.
enum System {
    static var name: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #elseif os(Windows)
            "Windows"
        #elseif os(Android)
            "Android"
        #else
            "another system"
        #endif
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another architecture"
        #endif
    }
}
