// ProgressLine: a line on the terminal that says how far a check is.

/// Writes the line to the standard error, and removes it before other output.
@MainActor
final class ProgressLine {
    private let isShown: Bool
    private var isVisible = false
    private var next = ContinuousClock.now

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func update(visited: Int, known: Int) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + .milliseconds(100)
        isVisible = true
        try? Output.standardError.write("\r\u{1B}[K\(visited) of \(known) addresses checked")
    }

    func clear() {
        guard isVisible else { return }
        isVisible = false
        try? Output.standardError.write("\r\u{1B}[K")
    }
}
