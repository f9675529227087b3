// The graph as text: chains from their ends to what they wait for, a line each.

extension WaitGraph.Vertex {
    /// `enqueue "page" at App/Page.swift:8 on the FutureQueue made at App/Page.swift:3 (1st of 1, waiting 1 s)`.
    var text: String {
        [title, name.map { "\"\($0)\"" }, site, queueWords, detail.map { "(\($0))" }].compactMap { $0 }.joined(
            separator: " ")
    }
}

extension WaitGraph {
    /// The way from a vertex up to what it waits for: steps on one line, branches on lines of their own.
    ///
    ///     onValue at App/Page.swift:8 ← join at App/Page.swift:5, 2 of 3 left
    ///       map ← Promise at App/Fetch.swift:12, not completed for 4.2 s
    ///       enqueue on "ledger" at App/Ledger.swift:30 (2nd of 12, waiting 1.2 s)
    ///
    /// - Parameter known: Vertices at which it ends, as they are shown elsewhere.
    func chain(from start: Int, until known: Set<Int> = []) -> String {
        var text = ChainText(self, until: known)
        return text.text(from: start)
    }
}
