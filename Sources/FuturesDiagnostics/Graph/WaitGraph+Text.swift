// The graph as text: chains from their ends to what they wait for, a line each.

extension WaitGraph.Vertex {
    /// `map "page" in App.refresh (2nd of 3, waiting 1.2 s)`.
    var text: String {
        [title, name.map { "\"\($0)\"" }, site, detail.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
    }
}

extension WaitGraph {
    /// The way from a vertex up to what it waits for: steps on one line, branches on lines of their own.
    ///
    ///     onValue in App.refresh ← join, 2 of its futures left
    ///       map ← Promise at App/Fetch.swift:12, not completed for 4.2 s
    ///       enqueue on "ledger" at App/Ledger.swift:30 (2nd of 12, waiting 1.2 s)
    ///
    /// - Parameter known: Vertices at which it ends, as they are shown elsewhere.
    func chain(from start: Int, until known: Set<Int> = []) -> String {
        lines(from: start, above: [], known).joined(separator: "\n")
    }

    /// At most this many steps of a chain are shown at its beginning, and as many at its end.
    private static var shownSteps: Int { 8 }
    /// At most this many branches are shown, and this many levels of them.
    private static var shownBranches: Int { 8 }

    private func lines(from start: Int, above: Set<Int>, _ known: Set<Int>) -> [String] {
        var (steps, seen, here) = ([Int](), above, start)
        while true {
            steps.append(here)
            seen.insert(here)
            guard !known.contains(here), vertices[here].waitsFor.count == 1, !seen.contains(vertices[here].waitsFor[0])
            else { break }
            here = vertices[here].waitsFor[0]
        }
        let last = vertices[here]
        var words = steps.prefix(Self.shownSteps).map { vertices[$0].text }
        if steps.count > 2 * Self.shownSteps { words.append("\(steps.count - 2 * Self.shownSteps) more") }
        words += steps.dropFirst(max(Self.shownSteps, steps.count - Self.shownSteps)).map { vertices[$0].text }
        var line = words.joined(separator: " ← ")
        if known.contains(here) { return [line + ", in a deadlock above"] }
        if let end = last.end { line += ", \(end)" }
        if let back = last.waitsFor.first(where: seen.contains) { line += " ← \(vertices[back].text) again: a cycle" }
        let branches = last.waitsFor.filter { !seen.contains($0) }
        if last.waitsFor.count > 1 {
            line += ", \(last.needsAll ? "" : "one of ")\(last.waitsFor.count) left"
        }
        guard above.count < 1024 else { return [line] }
        let shown = branches.prefix(Self.shownBranches)
        let rest = branches.count > shown.count ? ["\(branches.count - shown.count) more"] : []
        return [line] + (shown.flatMap { lines(from: $0, above: seen, known) } + rest).map { "  " + $0 }
    }
}

extension WaitGraph.Vertex {
    /// What it waits for outside of the graph.
    fileprivate var end: String? {
        if isNever { return "which never completes" }
        guard let outside else { return nil }
        if outside == WaitGraph.completion {
            return "not completed" + (age.map { " for \(Text.duration($0))" } ?? "")
        }
        return "waiting for \(outside)"
    }
}
