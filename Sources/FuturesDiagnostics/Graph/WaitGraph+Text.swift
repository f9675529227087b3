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
        var text = ChainText(self, until: known)
        return text.text(from: start)
    }
}
