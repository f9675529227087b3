// CheckerOptions: what is checked, and how.

extension Checker {
    struct Options: Equatable, Sendable {
        var limits = Fetcher.Limits()
        var identity = Identity()
        var filter = Filter.Options()
        /// Whether addresses on the web are ignored.
        var isOffline = false
        /// Whether addresses of other sites are ignored.
        var isInternal = false
        /// The folders in which `/paths` of links in files are looked up, besides those that are checked.
        var roots: [String] = []
        /// The maximum number of pages to read.
        var maxPages = Int.max
        /// The maximum number of links between the first page and one that is read.
        var maxDepth = Int.max
        var usesSitemaps = false
        var honorsRobots = true
    }
}
