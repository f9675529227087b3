// TextReport: the table as text.

/// The table as text: a line for each row, and below it a line for each contestant.
enum TextReport {
    private static let columns = [11, 9, 8, 13, 12, 22, 10]

    static let heading = line("", ["ns/op", "spread", "ratio", "spread", "mallocs", "held", "left"])

    static let legend = """
        ns/op    nanoseconds per operation, the median of all rounds: processor time, or wall-clock time for hops, blocks
                 in flight, work in the background, and requests "on the clock"
        ratio    Futures' time divided by this line's in the same round: 2 is twice as long
        spread   half of the distance between the quartiles
        mallocs  allocations per operation, on all threads
        held     the most memory held on the way, where that is the point; and what is left afterwards
        CB       a class with a mutex and a closure         RD     closures on a raw DispatchQueue
        CB-full  with an operation, cancel and abandonment  CB+RD  objects of CB whose closures run on a queue
        CB+remove  CB with removal in constant time         RD+CB  RD whose results are passed to objects of CB
        SC       async functions, actors, continuations     [ ]    the target
        """

    static func lines(of outcome: Outcome) -> String {
        let finding = outcome.finding
        var lines = [finding.row.name]
        lines += finding.results.map { result in
            line("  " + result.side.name, cells(result, finding, outcome.target))
        }
        return lines.joined(separator: "\n")
    }

    private static func cells(_ result: Finding.Result, _ finding: Finding, _ target: Target?) -> [String] {
        let ours = result.side == .futures
        let ratio = finding.ratio(to: result.side)
        let limit = target?.ratio.flatMap { $0.side == result.side ? $0.limit : nil }
        return [
            result.nanoseconds.median.asNanoseconds,
            result.nanoseconds.spreadText,
            ratio?.median.decimals(2) ?? "",
            (ratio?.spreadText ?? "") + bracket(limit?.decimals(2)),
            (result.mallocs?.decimals(2) ?? "-") + (ours ? bracket(target?.mallocs?.decimals(1)) : ""),
            (result.held?.asBytes ?? "") + (ours ? bracket(target?.held?.asBytes) : ""),
            result.left?.asBytes ?? "",
        ]
    }

    private static func bracket(_ text: String?) -> String { text.map { " [\($0)]" } ?? "" }

    private static func line(_ title: String, _ cells: [String]) -> String {
        let padded = zip(cells, columns).map { cell, width in
            String(repeating: " ", count: max(1, width - cell.count)) + cell
        }
        let line = title + String(repeating: " ", count: max(0, 12 - title.count)) + padded.joined()
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
