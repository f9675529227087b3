// CheckerOptions: what is checked, and how.

extension Checker {
    /// What is done with the definitions of Markdown that no link uses.
    enum Definitions: String, CaseIterable, Sendable {
        case check, ignore, report
    }

    struct Options: Equatable, Sendable {
        var limits = Fetcher.Limits()
        var identity = Identity()
        var filter = Filter.Options()
        var files = Files()
        var definitions = Definitions.check
        /// Whether the anchors of pages of other sites are checked.
        var readsAnchors = false
        /// Whether addresses on the web are ignored.
        var isOffline = false
        /// Whether addresses of other sites are ignored.
        var isInternal = false
        /// The folders in which `/paths` of links in files are looked up, besides those that are checked.
        var roots: [String] = []
        /// The addresses at which the folders are published, as in `LinkBase`.
        var published: [String] = []
        /// The maximum number of pages to read.
        var maxPages = Int.max
        /// The maximum number of links between the first page and one that is read.
        var maxDepth = Int.max
        var usesSitemaps = false
        var honorsRobots = true
    }
}
