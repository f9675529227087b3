// Planted: the faults of the embedded site.

enum Planted {
    /// The expected report: all faults of the embedded site, and no others.
    static var report: Report {
        Report(findings: findings, pages: 6, links: 22, ignored: 2, retries: 2, redirects: 3)
    }

    private static let findings = [
        finding("http://[bad/", "not a valid address", ("/deep/page.html", 5)),
        finding("/guide.html#nowhere", "no such anchor on the page", ("/", 8)),
        finding("/missing.html", "404 Not Found", ("/", 7), ("/guide.html", 6)),
        finding("/moved-away.html", "410 Gone (redirected to /gone.html)", ("/deep/page.html", 4)),
        finding("/round.html", "redirects in a cycle (redirected to /and-round.html)", ("/deep/page.html", 4)),
        finding("http://neighbor/closed.html", "404 Not Found", ("/", 13)),
    ]

    private static func finding(_ target: String, _ reason: String, _ places: (page: String, line: Int)...) -> Finding {
        Finding(target: target, reason: reason, places: places.map { Place(page: $0.page, line: $0.line) })
    }
}
