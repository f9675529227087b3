// Report: the findings and counts of a check.

/// The findings and counts of a check so far.
struct Report: Equatable, Sendable {
    private struct Problem: Hashable {
        let target: String
        let reason: String
    }

    private var places: [Problem: [Place]] = [:]
    var pages = 0
    var links = 0
    /// The links that are not checked, because of their scheme or of an option.
    var ignored = 0
    var retries = 0
    var redirects = 0

    init(
        findings: [Finding] = [], pages: Int = 0, links: Int = 0, ignored: Int = 0, retries: Int = 0,
        redirects: Int = 0
    ) {
        self.pages = pages
        self.links = links
        self.ignored = ignored
        self.retries = retries
        self.redirects = redirects
        for finding in findings {
            for place in finding.places { add(target: finding.target, reason: finding.reason, place: place) }
        }
    }

    /// Adds a place of a broken link. Returns whether the link has no other place yet.
    @discardableResult
    mutating func add(target: String, reason: String, place: Place) -> Bool {
        let problem = Problem(target: target, reason: reason)
        guard places[problem]?.append(place) == nil else { return false }
        places[problem] = [place]
        return true
    }

    /// The number of broken links. A link at several places counts once.
    var brokenCount: Int { places.count }

    /// The findings in an order that does not depend on the order of the responses.
    var findings: [Finding] {
        places.map { problem, places in
            var sorted: [Place] = []
            for place in places.sorted() where place != sorted.last { sorted.append(place) }
            return Finding(target: problem.target, reason: problem.reason, places: sorted)
        }.sorted { ($0.target, $0.reason) < ($1.target, $1.reason) }
    }

    static func == (a: Report, b: Report) -> Bool {
        [a.pages, a.links, a.ignored, a.retries, a.redirects] == [b.pages, b.links, b.ignored, b.retries, b.redirects]
            && a.findings == b.findings
    }
}

extension Report: CustomStringConvertible {
    var description: String { TextReport.text(of: self) }

    /// The counts in a sentence.
    var summary: String {
        "Read \(pages, "page") with \(links, "link"), of which \(ignored) \(ignored == 1 ? "was" : "were") ignored; "
            + "followed \(redirects, "redirect"), retried \(retries, "time")."
    }
}

extension DefaultStringInterpolation {
    /// Appends a count with its noun: `\(2, "page")` is "2 pages".
    mutating func appendInterpolation(_ count: Int, _ noun: String) {
        appendInterpolation("\(count) \(noun)\(count == 1 ? "" : "s")")
    }
}
