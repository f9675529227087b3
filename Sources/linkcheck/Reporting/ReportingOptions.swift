// ReportingOptions: how findings are shown.

struct ReportingOptions: Equatable, Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, json, junit, github
    }

    enum Color: String, CaseIterable, Sendable {
        case auto, always, never
    }

    var format = Format.text
    var color = Color.auto
    var isQuiet = false
    var isVerbose = false
    /// Whether to write which futures are pending, on Ctrl-\ and at the end.
    var isDiagnosing = false
    /// The file for the graph of waits at those times, in the language of Graphviz.
    var waitGraph: String?
}
