// Filter: the links that options include and exclude.

/// Decides whether a link is checked, by its address or its path.
@MainActor
final class Filter {
    struct Options: Equatable, Sendable {
        /// Regular expressions. A link is checked if one matches, or if there is none.
        var include: [String] = []
        /// Regular expressions. A link is ignored if one matches.
        var exclude: [String] = []
    }

    // Compiling an expression takes much longer than matching it.
    private let include: [Regex<AnyRegexOutput>]
    private let exclude: [Regex<AnyRegexOutput>]
    private var decisions: [String: Bool] = [:]

    init(_ options: Options) {
        include = options.include.compactMap { try? Regex($0) }
        exclude = options.exclude.compactMap { try? Regex($0) }
    }

    func includes(_ name: @autoclosure () -> String) -> Bool {
        if include.isEmpty, exclude.isEmpty { return true }
        let name = name()
        if let decision = decisions[name] { return decision }
        let matches = { (expressions: [Regex<AnyRegexOutput>]) in expressions.contains { name.contains($0) } }
        let decision = (include.isEmpty || matches(include)) && !matches(exclude)
        decisions[name] = decision
        return decision
    }
}
