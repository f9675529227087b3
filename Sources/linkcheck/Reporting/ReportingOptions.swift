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
}
