// EmbeddedSite: a small site for demonstrations, with every kind of broken link.

import Foundation

/// A site and a neighboring site that it links to, both on the loopback interface.
final class EmbeddedSite: Sendable {
    let site: SiteServer
    let neighbor: SiteServer

    var address: URL { site.address }

    /// The names of both sites in reports. Their addresses are not suitable, because the ports differ each time.
    var names: Names {
        Names(shortForms: [
            (site.address.absoluteString, "/"), (neighbor.address.absoluteString, "http://neighbor/"),
        ])
    }

    init() throws {
        let neighbor = try SiteServer { _ in
            ["/open.html": Page(response: HTTPResponse(html: "<h1>No HEAD here</h1>"), refusesHead: true)]
        }
        self.neighbor = neighbor
        site = try SiteServer { _ in Self.pages(neighbor: neighbor.address) }
    }

    func stop() {
        site.stop()
        neighbor.stop()
    }

    private static func pages(neighbor: URL) -> [String: Page] {
        [
            "/": .html(
                """
                <!DOCTYPE html>
                <title>The embedded site</title>
                <h1 id="top-of-it">A small site with planted faults</h1>
                <p><img src="logo.svg" alt=""> Welcome.</p>
                <ul>
                <li><a href="/guide.html#setup">The guide</a>
                <li><a href="/missing.html">A page that is missing</a>
                <li><a href="/guide.html#nowhere">A part of the guide that is missing</a>
                <li><a href="old.html">A page that has moved</a>
                <li><a href="flaky.html">A page that fails twice before it succeeds</a>
                <li><a href="slow.html">A page that responds slowly</a>
                <li><a href="\(neighbor)open.html">A neighbor that rejects HEAD</a>
                <li><a href="\(neighbor)closed.html">A site that has moved</a>
                <li><a href="mailto:nobody@example.org">Mail</a>
                </ul>
                <!-- <a href="commented-out.html">not a link</a> -->
                """),
            "/guide.html": .html(
                """
                <!DOCTYPE html>
                <title>Guide</title>
                <h1>Guide</h1>
                <h2 id="setup">Setup</h2>
                <p><a href="/">Home</a>, <a href="#setup">setup</a>, <a href="deep/page.html">more</a>
                <p><a href="missing.html">Missing here too</a>
                <script>document.write('<a href="/scripted.html">not a link</a>')</script>
                """),
            "/deep/page.html": .html(
                """
                <!DOCTYPE html>
                <title>Deep</title>
                <p><a href="../guide.html#setup">Back</a>
                <p><a href="../round.html">Round</a> and <a href="../moved-away.html">away</a>
                <p><a href="gopher://example.org/">Gopher</a> and <a href="http://[bad/">nonsense</a>
                """),
            "/new.html": .html("<title>New</title>\n<p><a href=\"/#top-of-it\">Home</a>\n"),
            "/flaky.html": Page(response: HTTPResponse(html: "<p><a href=\"/\">Home</a>\n"), failures: 2),
            "/slow.html": Page(
                response: HTTPResponse(html: "<p><a href=\"/\">Home</a>\n"), delay: .milliseconds(300)),
            "/old.html": .redirect(to: "/new.html"),
            "/round.html": .redirect(to: "/and-round.html", status: 302),
            "/and-round.html": .redirect(to: "round.html", status: 307),
            "/moved-away.html": .redirect(to: "/gone.html", status: 308),
            "/gone.html": .status(410),
            "/logo.svg": logo,
        ]
    }

    private static var logo: Page {
        let svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 2 2\"><circle cx=\"1\" cy=\"1\" r=\"1\"/></svg>"
        var response = HTTPResponse(html: svg)
        response.fields = [("Content-Type", "image/svg+xml")]
        return Page(response: response)
    }
}
