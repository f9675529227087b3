// Cancels of requests that are redirected, and blocked threads. Contract/HTTP.md

import Foundation
import Futures
import FuturesTesting
import Testing

@testable import FuturesFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HTTPCancelTests {
    /// In a process of its own: on Linux, each of these has ended the process before.
    @Test func `a request can be cancelled while it is redirected`() async {
        await #expect(processExitsWith: .success) {
            let server = try HostileServer { request, client in
                let isLast = request.hasPrefix("GET /0 ")
                client.reply(
                    isLast ? 200 : 302, "",
                    fields: isLast ? "" : "Location: /\(request.hasPrefix("GET /2 ") ? 1 : 0)\r\n")
            }
            // Their limits pass at any moment of the redirects. A time limit cancels the request.
            for round in 0..<20 {
                let client = HTTPClient(options: .patient)
                let requests = (0..<20).map { number in
                    let limit = Duration.microseconds((number * 977 + round * 331) % 20_000)
                    return client.data(from: server.at("2"), options: .patient { $0.timeout = limit })
                }
                for request in requests { _ = await request.arrival() }
            }
        }
    }

    @Test func `replies and time limits come though all threads of concurrent schedulers are blocked`() async {
        await #expect(processExitsWith: .success) {
            // Ends the process if a reply never comes.
            alarm(120)
            let server = try HostileServer { request, client in
                if request.hasPrefix("GET /hello") { client.reply(200, "hello") } else { client.waitForClose() }
            }
            let gate = Gate()
            // More than there are threads.
            for _ in 0..<200 { Scheduler.background.async { gate.pass() } }
            let client = HTTPClient(options: .patient)
            #expect(try await client.data(from: server.at("hello")).value.text == "hello")
            let late = client.data(from: server.at("silent"), options: .patient { $0.timeout = .milliseconds(10) })
            guard case HTTPError.timedOut? = await late.failure() else { exit(2) }
            var command = Command("sleep", ["1000"])
            command.timeout = .milliseconds(10)
            guard case CommandError.timedOut? = await command.run().failure() else { exit(3) }
            gate.open()
        }
    }

    @Test func `ten thousand requests that are cancelled or time out at once leave the process its threads`() async {
        await #expect(processExitsWith: .success) {
            // Ends the process if a queue never runs.
            alarm(300)
            let server = try HostileServer { request, client in
                if request.hasPrefix("GET /hello") { client.reply(200, "hello") } else { client.waitForClose() }
            }
            // More tasks of the session than Dispatch has threads.
            let client = HTTPClient(maxConnectionsPerHost: 600, options: .patient)
            let time = VirtualTime(isStrict: false)
            let options = HTTPOptions.patient { ($0.scheduler, $0.timeout) = (time.scheduler, .seconds(1)) }
            let requests = (0..<10_000).map { _ in client.data(from: server.at("silent"), options: options) }
            guard await comesTrue({ server.openCount == 600 }) else { exit(2) }
            for request in requests.dropFirst(300) { request.cancel() }
            time.advance(by: .seconds(1))
            for request in requests { guard await request.failure() != nil else { exit(3) } }
            let ran = Gate()
            DispatchQueue(label: "other").async { ran.open() }
            ran.pass()
            #expect(try await client.data(from: server.at("hello")).value.text == "hello")
        }
    }
}
