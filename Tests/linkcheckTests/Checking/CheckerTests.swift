// Checker: findings in folders and on sites.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct CheckerTests {
    private func report(on pages: @escaping (URL) -> [String: Page]) async throws -> Report {
        try await checked(at: pages).report
    }

    private func report(in folder: TemporaryFolder, isOffline: Bool = true) async throws -> Report {
        var options = Checker.Options.quick
        options.isOffline = isOffline
        let checker = Checker(options: options, names: folder.names)
        try await checker.check([.folder(folder.address)]).value
        return checker.report
    }

    @Test func `a fragment must exist on the page, also after a redirect`() async throws {
        let report = try await report { _ in
            let links = "<a href=b#x><a href=b#y><a href=r#x><a href=r#y>"
            return ["/": .html(links), "/b": .html("<p id=x>"), "/r": .redirect(to: "/b")]
        }
        #expect(report.lines == ["/b#y: no such anchor on the page at /:1", "/r#y: no such anchor on the page at /:1"])
    }

    @Test func `a missing page is one finding, whatever the fragments of its links`() async throws {
        let report = try await report { _ in ["/": .html("<a href=b>\n<a href=b#x>\n<a href=b#y><a href=b#x>")] }
        #expect(report.lines == ["/b: 404 Not Found at /:1, /:2, /:3"])
    }

    @Test func `a base is read as a browser reads it`() async throws {
        let folder = try TemporaryFolder([
            "a/space.html": "<base href=' ../c/ '><a href=d.html>", "a/dots.html": "<base href='..'><a href=c/d.html>",
            "a/dot.html": "<base href='.'><a href=../c/d.html>",
            "a/query.html": "<base href='/c/x?y/z/'><a href=d.html>",
            "a/both.html": "<base href='/c/?y#z'><a href=d.html>", "a/none.html": "<base href=''><a href=../c/d.html>",
            "c/d.html": "",
        ])
        #expect(try await report(in: folder).lines == [])
        let report = try await report { _ in
            [
                "/": .html("<a href=a/space><a href=a/dots>"), "/a/space": .html("<base href=' /d/ '><a href=x>"),
                "/a/dots": .html("<base href=..><a href=d/x>"), "/d/x": .html(""),
            ]
        }
        #expect(report.lines == [])
    }

    @Test func `another site is checked but not read`() async throws {
        let other = try SiteServer { _ in ["/": .html("<a href=/nowhere>")] }
        defer { other.stop() }
        let report = try await report { _ in ["/": .html("<a href=\(other.address)><a href=\(other.address)#x>")] }
        #expect(report == Report(pages: 1, links: 2))
        #expect(other.exchanges == [SiteServer.Exchange(method: "HEAD", path: "/", status: 200)])
    }

    @Test func `a page with two links to it is requested once`() async throws {
        let other = try SiteServer { _ in ["/x": .html("")] }
        defer { other.stop() }
        _ = try await report { _ in
            let link = "<a href=\(other.address)x>"
            return ["/": .html("<a href=b><a href=b#top>\n\(link)"), "/b": .html(link)]
        }
        #expect(other.exchanges.count == 1)
    }

    @Test func `links between documents and to their anchors are checked`() async throws {
        let folder = try TemporaryFolder([
            "a.md": "# One\n[1](b.html#x) [2](b.html#y) [3](#one) [4](#two) [5](c/)\n[6](d.md) [7](/c/e.md) [8](/e.md)",
            "b.html": "<p id=x>\n<a href='a.md#one'><a href='mailto:x'><a href='zork:x'>", "c/e.md": "[up](../a.md)",
        ])
        #expect(
            try await report(in: folder).lines == [
                "a.md#two: no such anchor on the page at a.md:2", "b.html#y: no such anchor on the page at a.md:2",
                "d.md: no such file at a.md:3", "e.md: no such file at a.md:3",
            ])
    }

    @Test func `a document's web links are checked, unless the check is offline`() async throws {
        let server = try SiteServer { _ in [:] }
        defer { server.stop() }
        let folder = try TemporaryFolder(["a.md": "<\(server.address)x>"])
        #expect(try await report(in: folder) == Report(pages: 1, links: 1, ignored: 1))
        #expect(try await report(in: folder, isOffline: false).lines == ["\(server.address)x: 404 Not Found at a.md:1"])
    }

    @Test func `a cancelled check sends no more requests`() async throws {
        let server = try SiteServer { _ in
            var page = Page.html("<a href=b>")
            page.delay = .seconds(3000)
            return ["/": .html("<a href=slow>"), "/slow": page]
        }
        defer { server.stop() }
        let (checker, stop) = (Checker(options: .quick), Promise<Void>())
        let first = select(checker.check([.site(server.address)]), or: stop.future)
        while checker.report.links == 0 { await Task.yield() }
        stop.succeed(())
        _ = try await first.value
        #expect(checker.report.brokenCount == 0)
    }

    @Test func `a fragment on a page with a base is one of the base, which may be a folder`() async throws {
        let folder = try TemporaryFolder([
            "a/b.html": "<base href='../e/'><a href='#x'>\n<a href='../g/#x'>", "e/f.html": "",
            "g/h.html": "<base href='.'><a href='#x'><a href=''>\n<a href='#y'>", "g/index.html": "<p id=x>",
        ])
        #expect(try await report(in: folder).lines == ["g#y: no such anchor on the page at g/h.html:2"])
    }

    @Test func `a page without a Content-Type is read`() async throws {
        let body = "<a href=/missing>"
        let server = try HostileServer(["/": [.text("HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n" + body)]])
        defer { server.stop() }
        let checker = Checker(options: .quick, names: Names(shortForms: [(server.address.absoluteString, "/")]))
        try await checker.check([.site(server.address)]).value
        #expect(checker.report.lines == ["/missing: 404 Not Found at /:1"])
    }
}

/// Checks a site of these pages, and returns the report and the paths that were requested.
@MainActor
func checked(
    at pages: @escaping (URL) -> [String: Page], _ change: (inout Checker.Options) -> Void = { _ in }
) async throws -> (report: Report, paths: Set<String>) {
    let server = try SiteServer(pages: pages)
    defer { server.stop() }
    var options = Checker.Options.quick
    change(&options)
    let checker = Checker(options: options, names: Names(shortForms: [(server.address.absoluteString, "/")]))
    try await checker.check([.site(server.address)]).value
    return (checker.report, Set(server.exchanges.map(\.path)).subtracting(["/robots.txt"]))
}

extension Checker.Options {
    /// Options for tests, without delays.
    static var quick: Checker.Options {
        var options = Checker.Options()
        options.limits.firstDelay = .milliseconds(1)
        // A busy machine may take long to answer.
        options.limits.timeout = .seconds(3000)
        options.limits.totalTimeout = .seconds(3000)
        return options
    }
}

extension Report {
    /// The findings in order, one line each.
    fileprivate var lines: [String] {
        findings.map { finding in
            "\(finding.target): \(finding.reason) at \(finding.places.map(\.description).joined(separator: ", "))"
        }
    }
}
