// Planted: the faults of the embedded site.

enum Planted {
    /// The expected report: all faults of the embedded site, and no others.
    static var report: Report {
        Report(findings: findings, pages: 6, links: 22, skipped: 1, retries: 2, redirects: 3)
    }

    private static let findings = [
        finding("/deep/page.html", 5, "gopher://example.org/", "unknown scheme gopher:"),
        finding("/deep/page.html", 5, "http://[bad/", "not a valid address"),
        finding("/", 8, "/guide.html#nowhere", "no such anchor on the page"),
        finding("/", 7, "/missing.html", "404 Not Found"),
        finding("/guide.html", 6, "/missing.html", "404 Not Found"),
        finding("/deep/page.html", 4, "/moved-away.html", "410 Gone (redirected to /gone.html)"),
        finding("/deep/page.html", 4, "/round.html", "redirects in a circle (redirected to /and-round.html)"),
        finding("/", 13, "http://neighbour/closed.html", "404 Not Found"),
    ]

    private static func finding(_ page: String, _ line: Int, _ target: String, _ reason: String) -> Finding {
        Finding(target: target, reason: reason, place: Place(page: page, line: line))
    }
}
