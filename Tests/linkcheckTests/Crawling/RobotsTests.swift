// robots.txt: which rules count, and what they match.

import Testing

@testable import linkcheck

struct RobotsTests {
    private func robots(_ rules: String) -> Robots { Robots("User-agent: *\n" + rules) }

    @Test func `the longest rule that matches counts`() {
        let robots = robots("Disallow: /a\nAllow: /a/b # comment\nDisallow: /a/b/c\nDisallow:\n")
        #expect(["/", "/a", "/abc", "/a/b", "/a/b/cd"].filter { robots.allows($0) } == ["/", "/a/b"])
    }

    @Test(arguments: [
        ("/*.php", "/a/b.php?x", false), ("/*.php$", "/a.php?x", true), ("/*.php$", "/a.php.php", false),
        ("/a*b*c", "/axxbxxc/d", false), ("/a*b*c", "/axxcxxb", true), ("*", "/", false), ("/$", "/", false),
        ("/$", "/a", true),
    ])
    func `a rule may contain wildcards`(pattern: String, path: String, isAllowed: Bool) {
        #expect(robots("Disallow: \(pattern)").allows(path) == isAllowed)
    }

    @Test func `rules for this program replace those for all`() {
        let robots = Robots(
            "user-agent: *\ndisallow: /\n\nUser-Agent: other\nUser-Agent: LinkCheck\nDisallow: /x\n\nuser-agent: last\ndisallow: /y"
        )
        #expect(robots.allows("/y"))
        #expect(!robots.allows("/x"))
        #expect(Robots("Disallow: /\nnonsense\n:::\n").allows("/"))
    }

    @Test func `sitemaps are listed`() {
        #expect(Robots("Sitemap: https://a.de/s.xml\nSITEMAP:/t.xml").sitemaps == ["https://a.de/s.xml", "/t.xml"])
    }
}
