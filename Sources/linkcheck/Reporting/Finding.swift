// Finding: a broken link.

/// Where a link stands.
struct Place: Hashable, Sendable {
    let page: String
    let line: Int

    /// What the user asked for stands on no page.
    static let commandLine = Place(page: "command line", line: 0)
}

extension Place: CustomStringConvertible, Comparable {
    var description: String { line > 0 ? "\(page):\(line)" : page }

    static func < (a: Place, b: Place) -> Bool { (a.page, a.line) < (b.page, b.line) }
}

/// What is broken, why, and where it stands.
struct Finding: Hashable, Sendable {
    let target: String
    let reason: String
    let place: Place
}

extension Finding: Comparable {
    static func < (a: Finding, b: Finding) -> Bool {
        (a.target, a.reason, a.place) < (b.target, b.reason, b.place)
    }
}

/// There is a page, but not the part of it that a link names.
struct NoSuchAnchor: Error, CustomStringConvertible {
    var description: String { "no such anchor on the page" }
}
