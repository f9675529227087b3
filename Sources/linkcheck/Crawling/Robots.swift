// Robots: the pages that a site asks crawlers to leave out (RFC 9309).

/// The rules of a robots.txt file for this program.
struct Robots: Equatable, Sendable {
    struct Rule: Equatable, Sendable {
        let pattern: Bytes
        let isAllowed: Bool
    }

    private(set) var rules: [Rule] = []
    /// The addresses of the site's sitemaps.
    private(set) var sitemaps: [String] = []

    init() {}

    /// Parses a file. The rules are those for the agent if it has some, and otherwise those for all.
    init(_ text: String, agent: String = "linkcheck") {
        var own: [Rule]?
        var general: [Rule] = []
        var agents: Set<String> = []
        var isInRules = false
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard let name = parts.first?.lowercased() else { continue }
            let value = parts.count > 1 ? parts[1] : ""
            switch name {
            case "user-agent":
                if isInRules { agents = [] }
                isInRules = false
                agents.insert(value.lowercased())
                if value.lowercased() == agent { own = own ?? [] }
            case "allow", "disallow":
                isInRules = true
                // An empty rule forbids nothing.
                guard !value.isEmpty else { continue }
                let rule = Rule(pattern: Bytes(value.utf8), isAllowed: name == "allow")
                if agents.contains(agent) { own?.append(rule) }
                if agents.contains("*") { general.append(rule) }
            case "sitemap": sitemaps.append(value)
            default: continue
            }
        }
        rules = own ?? general
    }

    /// Returns whether a page may be read, by its path and query. Of several rules that match, the longest counts.
    func allows(_ path: String) -> Bool {
        let path = Bytes(path.utf8)
        let matching = rules.filter { Self.matches(path, $0.pattern) }
        let longest = matching.map(\.pattern.count).max() ?? 0
        return matching.isEmpty || matching.contains { $0.pattern.count == longest && $0.isAllowed }
    }

    /// Returns whether the start of `path` matches the pattern, in which `*` is any text, and `$` is the end.
    private static func matches(_ path: Bytes, _ pattern: Bytes) -> Bool {
        let isWhole = pattern.last == "$"
        let end = isWhole ? pattern.count - 1 : pattern.count
        var (index, next) = (0, 0)
        var star: (next: Int, index: Int)?
        while true {
            if next == end, !isWhole || index == path.count { return true }
            if next < end, pattern[next] == "*" {
                star = (next + 1, index)
                next += 1
            } else if next < end, index < path.count, pattern[next] == path[index] {
                next += 1
                index += 1
            } else if let last = star, last.index < path.count {
                star = (last.next, last.index + 1)
                (next, index) = (last.next, last.index + 1)
            } else {
                return false
            }
        }
    }
}
