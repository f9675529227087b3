// Fetcher: retries, redirects, deadlines and limits.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct FetcherTests {
    private var limits: Fetcher.Limits { Checker.Options.quick.limits }

    private func statuses(_ server: SiteServer) -> [Int] { server.exchanges.map(\.status) }

    private func failure(_ future: Future<Response>) async throws -> FetchFailure {
        try await #require(throws: FetchFailure.self) { try await future.value }
    }

    @Test(arguments: [400, 401, 403, 404, 410, 451, 501])
    func `a permanent failure is not retried`(status: Int) async throws {
        let server = try SiteServer { _ in ["/": .status(status)] }
        defer { server.stop() }
        #expect(try await failure(Fetcher(limits: limits).fetch(server.address)).error == .status(status))
        #expect(statuses(server) == [status])
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func `redirects are followed`(status: Int) async throws {
        let server = try SiteServer { _ in
            ["/": .redirect(to: "a/b", status: status), "/a/b": .redirect(to: "c"), "/a/c": .html("x")]
        }
        defer { server.stop() }
        let fetcher = Fetcher(limits: limits)
        let response = try await fetcher.fetch(server.address).value
        #expect(response.address == URL(string: "a/c", relativeTo: server.address)!.absoluteURL)
        #expect(fetcher.redirects == 2)
    }

    @Test func `a host that refuses connections is retried, then reported`() async throws {
        let socket = try Socket.bound()
        let fetcher = Fetcher(limits: limits)
        let address = URL(string: "http://127.0.0.1:\(socket.port)/")!
        let error = try await failure(fetcher.fetch(address)).error
        #expect(error == .unreachable("cannot connect to the host", isTransient: true))
        #expect(fetcher.retries == 3)
    }

    @Test func `a host gets at most its limit of concurrent requests`() async throws {
        let servers = try (0..<3).map { _ in
            try SiteServer { _ in
                var page = Page.html("x")
                page.delay = .milliseconds(20)
                return ["/": page]
            }
        }
        defer { for server in servers { server.stop() } }
        var limits = limits
        limits.perHost = 2
        limits.inFlight = 3
        let fetcher = Fetcher(limits: limits)
        let requests = (0..<10).flatMap { _ in servers.map { fetcher.fetch($0.address) } }
        #expect(try await join(requests).value.count == 30)
        #expect(servers.allSatisfy { $0.peak <= 2 })
    }
}
