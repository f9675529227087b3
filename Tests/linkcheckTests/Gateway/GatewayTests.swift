// The gateway: a process of its own for each connection, which may crash.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct GatewayTests {
    private typealias Step = HostileServer.Step

    /// The program, which is built beside the tests.
    nonisolated static let program: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return (bundle ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent().appending(
            path: "linkcheck")
    }()

    private func client(total: Duration = .seconds(3000)) -> HTTPClient {
        let gateway = Gateway(executable: Self.program, needsAlways: true)
        return HTTPClient(limits: Fetcher.Limits(timeout: .seconds(3000), totalTimeout: total), gateway: gateway)
    }

    private func request(_ server: HostileServer, _ path: String, _ method: Request.Method = .get) -> Request {
        Request(method: method, address: server.address.appending(path: path), maxBody: 100_000)
    }

    @Test func `responses pass the gateway`() async throws {
        let server = try HostileServer([
            "/page": [.page("<p id=x>", fields: "Retry-After: 7\r\n")],
            "GET /missing": [.head("Content-Length: 0\r\n", status: "404 No")],
            "/moved": [.head("Location: /page\r\nContent-Length: 0\r\n", status: "301 Moved")],
            "/secret": [.head("WWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n", status: "401 No")],
        ])
        defer { server.stop() }
        let client = client()
        let page = try await client.send(request(server, "page")).value
        #expect((page.status, page.kind, page.body) == (200, .html, Bytes("<p id=x>".utf8)))
        #expect(page.retryAfter == .seconds(7))
        #expect(try await client.send(request(server, "page", .head)).value.status == 200)
        #expect(try await client.send(request(server, "missing")).value.status == 404)
        let moved = try await client.send(request(server, "moved")).value
        #expect((moved.status, moved.location) == (301, "/page"))
        #expect(try await client.send(request(server, "secret")).value.status == 401)
        #expect(server.log == ["GET /page", "HEAD /page", "GET /missing", "GET /moved", "GET /secret"])
    }

    @Test func `an attack on the system's HTTP client is an error, and the next request works`() async throws {
        let noise = Bytes(repeating: 0x61, count: 64 * 1024)
        let server = try HostileServer([
            "/trailer": [.head("Transfer-Encoding: chunked\r\nTrailer: X\r\n"), .text("1\r\na\r\n0\r\nX: y\r\n\r\n")],
            "/length": [.head("Content-Length: 99999999999999999999999\r\n"), .text("x")],
            "/bomb": [.head("Content-Encoding: gzip\r\n"), .send(GzipBomb.large)],
            "/endless": [.head(""), .endless(noise)], "/drip": [.head(""), .drip([0x61])], "/nothing": [],
            "/page": [.page("a")],
        ])
        defer { server.stop() }
        let (client, patient) = (client(total: .seconds(4)), client())
        let attacks = ["trailer", "length", "bomb", "endless", "drip", "nothing"]
        let results = try await join(
            attacks.map { path in
                client.send(request(server, path)).flatMapResult { result in
                    patient.send(self.request(server, "page")).map { (result, $0.status) }
                }
            }
        ).value
        for (path, (result, next)) in zip(attacks, results) {
            #expect(next == 200)
            // Whether these are fatal depends on the version of Foundation.
            guard path != "trailer", path != "length" else { continue }
            #expect(throws: FetchError.self, "\(path)") { try result.get() }
        }
    }
}
