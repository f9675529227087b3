// A hostile server gets one finding for each of its pages, and ends no run.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct HostileServerTests {
    private typealias Step = HostileServer.Step

    /// The reason of attacks that take time: that of one of the two time limits.
    private static let late = " within "

    /// What a server may do to a client, and the reason in the finding. Nil is a page without fault.
    private static let attacks: [(name: String, script: [HostileServer.Step], reason: String?)] = {
        let noise = Bytes(repeating: 0x61, count: 64 * 1024)
        let repeated = { (text: String) in Bytes(String(repeating: text, count: 2000).utf8) }
        return [
            (
                "trailer",
                [
                    .head("Transfer-Encoding: chunked\r\nTrailer: x\r\n"),
                    .text("5;ext=1\r\n<a id\r\n4\r\n='x'\r\n1\r\n>\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"),
                ], nil
            ),
            (
                "informational",
                [.text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), .page("")], nil
            ),
            ("line-feeds", [.text("\r\nHTTP/1.1 200 OK\ncontent-type:text/html\ncontent-length: 2, 2\n\nab")], nil),
            ("old", [.text("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nbody")], nil),
            ("folded", [.text("HTTP/1.1 200\r\nX: a\r\n b\r\n: c\r\nnonsense\r\nContent-Length: 0\r\n\r\n")], nil),
            ("pause", [.head("Content-Length: 5\r\n"), .text("a"), .text("bcde")], nil),
            ("absurd-length", [.head("Content-Length: 999999999999999999999\r\n"), .text("x")], "larger than 1000000"),
            ("negative-length", [.head("Content-Length: -1\r\n"), .text("x")], "is not a number"),
            ("two-lengths", [.head("Content-Length: 1\r\nContent-Length: 2\r\n"), .text("xy")], "is not a number"),
            ("endless-body", [.head(""), .endless(noise)], "larger than 1000000"),
            (
                "endless-chunks", [.head("Transfer-Encoding: chunked\r\n"), .endless(repeated("1\r\na\r\n"))],
                "head of the response"
            ),
            ("endless-field", [.text("HTTP/1.1 200 OK\r\nX: "), .endless(noise)], "head of the response"),
            ("endless-heads", [.endless(repeated("HTTP/1.1 100 Continue\r\n\r\n"))], "head of the response"),
            ("word-chunk", [.head("Transfer-Encoding: chunked\r\n"), .text("xyz\r\n")], "size of a chunk"),
            ("long-chunk", [.head("Transfer-Encoding: chunked\r\n"), .text("1\r\nab\r\n")], "a chunk is longer"),
            ("unknown-coding", [.head("Transfer-Encoding: gzip\r\n"), .text("x")], "the transfer encoding gzip"),
            ("brotli", [.page("x", fields: "Content-Encoding: br\r\n")], "the content encoding br"),
            ("bad-gzip", [.page("xyz", fields: "Content-Encoding: gzip\r\n")], "cannot be decompressed"),
            ("bomb", [.head("Content-Encoding: gzip\r\n"), .send(GzipBomb.large)], "larger than 1000000"),
            ("drip", [.head(""), .drip([0x61])], late),
            ("drip-head", [.text("HTTP/1.1 200 OK\r\n"), .drip([0x61])], late),
            ("silence", [.hold], late),
            ("early-end", [.head("Content-Length: 5\r\n"), .text("ab")], "the connection was lost"),
            ("nothing", [], "the connection was closed without a response"),
            ("garbage", [.send(Bytes(0...255))], "not valid HTTP"),
            ("status", [.text("HTTP/1.1 99999 OK\r\n\r\n")], "not valid HTTP"),
            ("no-location", [.head("Content-Length: 0\r\n", status: "302 Found")], "302 Found without a Location"),
            (
                "bad-location", [.head("Location: http://[\r\nContent-Length: 0\r\n", status: "301 Moved")],
                "redirects to \"http://[\""
            ),
            ("failing", [.text("HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nabc")], "500 Internal Server Error"),
        ]
    }()

    private var options: Checker.Options {
        var options = Checker.Options.quick
        options.limits.retries = 0
        options.limits.maxBody = 1_000_000
        options.limits.perHost = 16
        return options
    }

    @Test func `each attack is one finding, and the run goes on`() async throws {
        let attacks = Self.attacks.filter { $0.reason != Self.late }
        var scripts = Dictionary(uniqueKeysWithValues: attacks.map { ("/\($0.name)", $0.script) })
        scripts["/"] = [.page(attacks.map { "<a href='/\($0.name)'></a>" }.joined())]
        let server = try HostileServer(scripts)
        defer { server.stop() }
        let checker = Checker(options: options, names: Names(shortForms: [(server.address.absoluteString, "/")]))
        try await checker.check([.site(server.address)]).value

        let findings = Dictionary(uniqueKeysWithValues: checker.report.findings.map { ($0.target, $0.reason) })
        for (name, _, reason) in attacks {
            let found = findings["/\(name)"]
            #expect(reason.map { found?.contains($0) == true } ?? (found == nil), "\(name): \(found ?? "no finding")")
        }
        #expect(findings.count == attacks.count { $0.reason != nil })
    }

    @Test func `a server that takes its time is given up`() async throws {
        let attacks = Self.attacks.filter { $0.reason == Self.late }
        let server = try HostileServer(Dictionary(uniqueKeysWithValues: attacks.map { ("/\($0.name)", $0.script) }))
        defer { server.stop() }
        var limits = options.limits
        limits.timeout = .milliseconds(200)
        limits.totalTimeout = .milliseconds(400)
        let fetcher = Fetcher(limits: limits)
        let results = try await Future.settle(attacks.map { fetcher.fetch(server.address.appending(path: $0.name)) })
            .value
        for result in results {
            let failure = #expect(throws: FetchFailure.self) { try result.get() }
            #expect(failure.map { "\($0.error)".contains(Self.late) } == true)
        }
    }
}
