// Options of a check: what is visited and read.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct CheckerOptionsTests {
    private func report(
        _ pages: [String: Page], _ change: (inout Checker.Options) -> Void = { _ in }
    ) async throws -> (Report, paths: Set<String>) {
        let (report, paths) = try await checked(at: { _ in pages }, change)
        return (report, paths)
    }

    private func report(
        in files: [String: String], _ change: (inout Checker.Options, TemporaryFolder) throws -> Void
    ) async throws -> Report {
        let folder = try TemporaryFolder(files)
        var options = Checker.Options.quick
        try change(&options, folder)
        let checker = Checker(options: options, names: folder.names)
        try await checker.check([.folder(folder.address)]).value
        return checker.report
    }

    @Test func `only included links are checked, and excluded ones not even then`() async throws {
        let (report, paths) = try await report(["/": .html("<a href=a><a href=b><a href=ab>")]) {
            $0.filter = Filter.Options(include: ["/a"], exclude: ["b$"])
        }
        #expect(report.ignored == 2)
        #expect(paths == ["/", "/a"])
    }

    @Test func `an internal check ignores other sites`() async throws {
        let (report, _) = try await report(["/": .html("<a href=http://127.0.0.1:1/><a href=/b>")]) {
            $0.isInternal = true
        }
        #expect(report.ignored == 1)
        #expect(report.findings.map(\.target) == ["/b"])
    }

    @Test func `depth and the number of pages are limited`() async throws {
        let pages: [String: Page] = [
            "/": .html("<a href=1>"), "/1": .html("<a href=2>"), "/2": .html("<a href=3>"), "/3": .html("<a href=4>"),
        ]
        let deep = try await report(pages) { $0.maxDepth = 1 }
        #expect(deep.0 == Report(pages: 2, links: 2))
        #expect(deep.paths == ["/", "/1", "/2"])
        let many = try await report(pages) { $0.maxPages = 3 }
        #expect(many.0.pages == 3)
        #expect(try await report(pages).0.findings.map(\.target) == ["/4"])
    }

    @Test func `robots are honored for a site's own pages, unless they are ignored`() async throws {
        var rules = Page.html("User-agent: *\nDisallow: /private")
        rules.response.fields = [("Content-Type", "text/plain")]
        let pages = ["/": Page.html("<a href=/private/x>"), "/robots.txt": rules]
        #expect(try await report(pages).0 == Report(pages: 1, links: 1, ignored: 1))
        #expect(try await report(pages) { $0.honorsRobots = false }.0.brokenCount == 1)
    }

    @Test func `a site whose robots fail is not read`() async throws {
        let pages = ["/": Page.html("<a href=/x>"), "/robots.txt": .status(503)]
        let (report, paths) = try await report(pages) { $0.limits.retries = 0 }
        #expect(report.findings.map(\.target) == ["/robots.txt"])
        #expect(report.findings.map(\.reason) == ["503 Service Unavailable"])
        #expect(paths == [])
        let ignoring = try await self.report(pages) { $0.honorsRobots = false }
        #expect(ignoring.0.findings.map(\.target) == ["/x"])
        #expect(try await self.report(["/": .html(""), "/robots.txt": .status(403)]).0.brokenCount == 0)
    }

    @Test func `pages of sitemaps are checked`() async throws {
        let pages: (URL) -> [String: Page] = { address in
            var index = Page.html("<sitemapindex><sitemap><loc>\(address)more</loc></sitemap></sitemapindex>")
            var map = Page.html("<?xml version='1.0'?><urlset><url><loc>\n \(address)x?a&amp;b </loc></url></urlset>")
            index.response.fields = [("Content-Type", "application/xml")]
            map.response.fields = [("Content-Type", "text/xml; charset=utf-8")]
            return ["/": .html(""), "/sitemap.xml": index, "/more": map, "/x": .html("<a href=y>")]
        }
        let (report, _) = try await checked(at: pages) { $0.usesSitemaps = true }
        #expect(report.findings.map(\.target) == ["/y"])
        #expect(report.pages == 2)
    }

    @Test func `links to the own domain are links to files`() async throws {
        let report = try await report(in: [
            "a.html": "<a href=https://Own.example/docs/b/c#x><a href=http://own.example/docs><a href=/docs/d>",
            "b/c.html": "<p id=x><a href=//own.example/docs/b/c.html#y><a href=/a.html><a href=//own.example/e>",
        ]) { options, _ in
            options.isOffline = true
            options.files.extensions = ["html"]
            options.published = [try Values.site("https://own.example/docs", for: "")]
        }
        #expect(report.findings.map(\.target) == ["b/c.html#y", "d"])
        #expect(report.ignored == 1)
    }

    @Test func `anchors of other sites are checked with an option, on pages that are requested once`() async throws {
        let other = try SiteServer { _ in
            ["/a": .html("<p id=x><p id=user-content-y>"), "/b": .html(""), "/c": .redirect(to: "/a")]
        }
        defer { other.stop() }
        let links = ["a#x", "a#y", "a#z", "a#z", "b", "b#", "c#z", "gone", "gone#x"]
        let page = ["/": Page.html(links.map { "<a href=\(other.address)\($0)>" }.joined())]
        let (report, _) = try await report(page) { $0.readsAnchors = true }
        let found = report.findings.map { $0.target.dropFirst(other.address.absoluteString.count) }
        #expect(found == ["a#z", "c#z", "gone"])
        #expect(other.exchanges.filter { $0.path == "/b" }.map(\.method) == ["HEAD"])
        #expect(other.exchanges.filter { $0.path == "/a" }.map(\.method) == ["GET", "GET"])
        #expect(try await self.report(page).0.brokenCount == 1)
    }

    @Test(
        arguments: [
            (.check, ["1", "2", "3", "4"], 0), (.ignore, ["1", "2"], 2), (.report, ["1", "2", "3", "4"], 0),
        ] as [(Checker.Definitions, [String], Int)])
    func `definitions that no link uses are checked, ignored or reported`(
        definitions: Checker.Definitions, targets: [String], ignored: Int
    ) async throws {
        let text = "[x] ![y][Y z]\n\n[x]: 1\n[y  Z]: 2\n[x]: 3\n[no]: 4"
        let report = try await report(in: ["a.md": text]) { options, _ in options.definitions = definitions }
        #expect(report.findings.map(\.target) == targets)
        let unused = report.findings.filter { $0.reason == "no link uses it" }
        #expect(unused.map(\.target) == (definitions == .report ? ["3", "4"] : []))
        #expect(report.ignored == ignored)
    }

    @Test func `passwords are never reported`() async throws {
        let (report, _) = try await report([
            "/": .html("<a href=http://me:secret@127.0.0.1:1/><a href=http://me:secret@[bad/><a href=r>"),
            "/r": .redirect(to: "http://me:secret@[bad/"),
        ]) { $0.limits.retries = 0 }
        #expect(report.brokenCount == 3)
        #expect(!report.description.contains("secret"))
        #expect(report.description.contains("http://***@[bad/"))
    }

    @Test func `compressed sitemaps are read, and what is no sitemap is a finding`() async throws {
        let pages: (URL) -> [String: Page] = { address in
            let map = Bytes("<urlset><url><loc>\(address)x</loc></url></urlset>".utf8)
            var compressed = Page.html("")
            compressed.response.fields = [("Content-Type", "application/x-gzip")]
            // One block that is stored as it is.
            let size = UInt8(map.count)
            compressed.response.body = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, size, 0, ~size, 0xFF] + map
            var text = Page.html("")
            text.response.fields = [("Content-Type", "text/plain")]
            let robots = Page.html("Sitemap: /maps.xml.gz\nSitemap: /map.txt\n")
            return ["/": .html(""), "/robots.txt": robots, "/maps.xml.gz": compressed, "/map.txt": text]
        }
        let (report, _) = try await checked(at: pages) { $0.usesSitemaps = true }
        #expect(report.findings.map(\.target) == ["/map.txt", "/x"])
        #expect(report.findings.map(\.reason) == ["neither a page nor a sitemap", "404 Not Found"])
    }

    @Test func `robots of the host to which a site redirects are honored`() async throws {
        let other = try SiteServer { _ in
            ["/": .html("<a href=/private>"), "/robots.txt": .html("User-agent: *\nDisallow: /private")]
        }
        defer { other.stop() }
        let (report, _) = try await report(["/": .redirect(to: other.address.absoluteString)])
        #expect(report == Report(pages: 1, links: 1, ignored: 1, redirects: 1))
    }
}
