// Limits of requests: sizes, times, cancels. Contract/HTTP.md

import Dispatch
import Foundation
import Futures
import FuturesFoundation
import FuturesTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HTTPLimitTests {
    let client = HTTPClient(options: .patient)

    private func isTooLarge(_ error: (any Error)?) -> Bool {
        if case HTTPError.bodyTooLarge(1000)? = error { true } else { false }
    }

    @Test func `a body that is larger than the limit is an error, and is not received to its end`() async throws {
        let stopped = Gate()
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            while client.send(String(repeating: "x", count: 10_000)) {}
            stopped.open()
        }
        let limited = HTTPOptions.patient { $0.maxBodySize = 1000 }
        #expect(isTooLarge(await client.data(from: server.address, options: limited).failure()))
        try await stopped.future.value
    }

    @Test func `a server that stays silent for the idle timeout fails the request`() async throws {
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\n\r\nhalf")
            client.waitForClose()
        }
        let limited = HTTPOptions.patient { $0.idleTimeout = .milliseconds(100) }
        #expect(await client.data(from: server.address, options: limited).failure()?.isTimeout == true)
        #expect(await comesTrue { server.openCount == 0 })
    }

    @Test func `a server that sends a byte now and then is stopped by the timeout only`() async throws {
        let (time, next, progress) = (VirtualTime(isStrict: false), DispatchSemaphore(value: 0), ProgressCounter())
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\n\r\n")
            repeat { next.wait() } while client.send("x")
        }
        let limited = HTTPOptions.patient {
            $0.idleTimeout = .seconds(1)
            $0.timeout = .seconds(5)
            $0.scheduler = time.scheduler
        }
        let future = client.data(from: server.address, progress: progress, options: limited)
        for count in 1...8 {
            next.signal()
            #expect(await comesTrue { progress.completed == count })
            time.advance(by: .milliseconds(600))
        }
        #expect(!future.isCompleted)
        next.signal()
        #expect(await comesTrue { progress.completed == 9 })
        time.advance(by: .milliseconds(600))
        let error = await future.failure()
        for _ in 0..<100 { next.signal() }
        #expect(error?.isTimeout == true)
    }

    @Test func `requests beyond the limit of their host wait, and their time limits start when they are sent`()
        async throws
    {
        let (time, gate) = (VirtualTime(isStrict: false), Gate())
        let server = try HostileServer { request, client in
            if request.hasPrefix("GET /slow") { gate.pass() }
            client.reply()
        }
        let other = try HostileServer { _, client in client.reply() }
        let client = HTTPClient(maxConnectionsPerHost: 2, options: .patient)
        let slow = (0..<2).map { _ in client.data(from: server.at("slow")) }
        let limited = HTTPOptions.patient {
            $0.idleTimeout = .seconds(1)
            $0.timeout = .seconds(1)
            $0.scheduler = time.scheduler
        }
        let waiting = client.data(from: server.at("next"), options: limited)
        let cancelled = client.data(from: server.at("never"))
        #expect(try await client.data(from: other.address, options: limited).value.status == 200)
        #expect(await comesTrue { server.requests.count == 2 })
        time.advance(by: .seconds(10))
        #expect(!waiting.isCompleted && cancelled.cancel())
        gate.open()
        #expect(try await waiting.value.status == 200)
        for future in slow { _ = try await future.value }
        #expect(server.requests.count == 3)
    }

    @Test func `cancelling a request closes its connection`() async throws {
        let (arrived, closed) = (Gate(), Gate())
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\n\r\nhalf")
            arrived.open()
            client.waitForClose()
            closed.open()
        }
        let future = client.data(from: server.address)
        try await arrived.future.value
        #expect(future.cancel())
        try await closed.future.value
    }

    @Test func `64 requests of a host are sent at once unless the client says otherwise`() async throws {
        let gate = Gate()
        let server = try HostileServer { _, client in
            gate.pass()
            client.reply()
        }
        let requests = (0..<70).map { _ in client.data(from: server.address) }
        #expect(await comesTrue { server.openCount == 64 })
        gate.open()
        _ = try await join(requests).value
    }
}
