// Finding: a broken link.

/// The page and the line that contain a link.
struct Place: Hashable, Encodable, Sendable {
    let page: String
    let line: Int

    /// The place of the targets given on the command line, which are not links of a page.
    static let commandLine = Place(page: "command line", line: 0)
}

extension Place: CustomStringConvertible, Comparable {
    var description: String { line > 0 ? "\(page):\(line)" : page }

    static func < (a: Place, b: Place) -> Bool { (a.page, a.line) < (b.page, b.line) }
}

/// A broken link: its target, the reason, and the places of all links to it.
struct Finding: Hashable, Encodable, Sendable {
    let target: String
    let reason: String
    var places: [Place]
}

/// The page exists, but not the anchor that the link refers to.
struct NoSuchAnchor: Error, CustomStringConvertible {
    var description: String { "no such anchor on the page" }
}

/// What was to be read is something else.
struct NotRead: Error, CustomStringConvertible {
    var description: String { "neither a page nor a sitemap" }
}
