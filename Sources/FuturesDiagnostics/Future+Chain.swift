// chain: what a future waits for.

import Futures

extension Future {
    /// What this future waits for, step by step, up to the operation or promise that has to complete it.
    ///
    ///     print(user.chain)
    ///     // map ← enqueue on "ledger" at App/Ledger.swift:30 (3rd of 12, waiting 1.2 s)
    ///
    /// Steps are on one line, and the futures that a combination waits for on lines below it. The functions in which
    /// operators were called are known if ``Diagnostics/isOn`` was true when the future was made. A future that has
    /// completed gives `completed`.
    ///
    /// - Complexity: O(*n*) in the number of futures that this one waits for, at any distance.
    public var chain: String {
        let graph = WaitGraph(of: [node])
        return graph.vertices.isEmpty ? "completed" : graph.chain(from: 0)
    }
}
