// Pauses and rates of hosts.

import Foundation
import Futures
import Testing

@testable import linkcheck

@MainActor
struct HostPausesTests {
    @Test func `Retry-After pauses all requests to its host`() async throws {
        let server = try HostileServer([
            "/limited": [.text("HTTP/1.1 429 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")], "/page": [.page("")],
        ])
        defer { server.stop() }
        var limits = Checker.Options.quick.limits
        limits.retries = 0
        let fetcher = Fetcher(limits: limits)
        let start = ContinuousClock.now
        await #expect(throws: FetchFailure.self) {
            try await fetcher.fetch(server.address.appending(path: "limited")).value
        }
        _ = try await fetcher.fetch(server.address.appending(path: "page")).value
        #expect(ContinuousClock.now - start > .seconds(1))
    }

    /// A host that always asks for a pause, and the number of requests that it gets for each of some links.
    private func requests(for links: Int, retryAfter: Int) async throws -> [Int] {
        let refusal = "HTTP/1.1 429 No\r\nRetry-After: \(retryAfter)\r\nContent-Length: 0\r\n\r\n"
        let server = try HostileServer(["/page": [.text(refusal)]])
        defer { server.stop() }
        let fetcher = Fetcher(limits: Checker.Options.quick.limits)
        var counts: [Int] = []
        for _ in 0..<links {
            let count = server.log.count
            await #expect(throws: FetchFailure.self) {
                try await fetcher.fetch(server.address.appending(path: "page")).value
            }
            counts.append(server.log.count - count)
        }
        return counts
    }

    @Test func `a host that asks for a pause after each pause is not asked again`() async throws {
        #expect(try await requests(for: 3, retryAfter: 0) == [4, 1, 1])
    }

    @Test func `a host gets requests at its rate`() async throws {
        let server = try HostileServer(["/page": [.page("")]])
        defer { server.stop() }
        var limits = Checker.Options.quick.limits
        limits.rate = 20
        let fetcher = Fetcher(limits: limits)
        let start = ContinuousClock.now
        _ = try await join((0..<5).map { _ in fetcher.fetch(server.address.appending(path: "page")) }).value
        #expect(ContinuousClock.now - start > .milliseconds(190))
    }

    @Test(arguments: [
        ("120", Duration.seconds(120)), ("-5", .zero), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)),
        ("Sun, 06 Nov 1994 08:40:00 GMT", .zero), ("soon", nil), ("", nil),
        // The formatter of Foundation traps.
        ("s\u{035A}be", nil),
    ])
    func `Retry-After is a number of seconds or a date`(text: String, delay: Duration?) {
        #expect(RetryAfter.delay(text, now: Date(timeIntervalSince1970: 784_111_740)) == delay)
    }

    @Test func `a longer pause than the limit ends the attempts`() async throws {
        #expect(try await requests(for: 2, retryAfter: 3600) == [1, 1])
    }
}
