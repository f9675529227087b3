// Uploads, downloads and their progress. Contract/HTTP.md

import Foundation
import Futures
import Testing

@testable import FuturesFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct HTTPTransferTests {
    let client = HTTPClient(options: .patient)

    private func post(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        return request
    }

    @Test func `an upload sends data, a file or JSON`() async throws {
        let server = try HostileServer { request, client in
            client.reply(200, String(request.components(separatedBy: "\r\n\r\n")[1]))
        }
        let request = post(server.address)
        #expect(try await client.upload(for: request, from: Data("data".utf8)).value.text == "data")
        let folder = try TemporaryFolder()
        let file = try folder.write("contents", to: "file")
        #expect(try await client.upload(for: request, fromFile: file).value.text == "contents")
        #expect(try await client.upload(for: request, json: ["a": 1]).value.text == #"{"a":1}"#)
        #expect(server.requests.last?.lowercased().contains("content-type: application/json") == true)
        #expect(server.requests.allSatisfy { $0.hasPrefix("POST ") })
    }

    @Test func `a redirect that keeps the method sends the body again`() async throws {
        let server = try HostileServer { request, client in
            if let status = Int(request.split(separator: " ")[1].dropFirst()) {
                return client.reply(status, "moved", fields: "Location: /to\r\n")
            }
            let parts = request.components(separatedBy: "\r\n\r\n")
            let type = parts[0].lowercased().contains("content-type: application/json") ? " as JSON" : ""
            client.reply(200, "\(request.prefix(4)) \(parts[1])\(type)")
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("contents", to: "file")
        for status in [307, 308] {
            var request = post(server.at("\(status)"))
            #expect(try await client.upload(for: request, from: Data("data".utf8)).value.text == "POST data")
            #expect(try await client.upload(for: request, fromFile: file).value.text == "POST contents")
            #expect(try await client.upload(for: request, json: ["a": 1]).value.text == #"POST {"a":1} as JSON"#)
            request.httpBody = Data("body".utf8)
            #expect(try await client.data(for: request).value.text == "POST body")
        }
        var request = URLRequest(url: server.at("302"))
        request.httpMethod = "PUT"
        let response = try await client.upload(for: request, from: Data("data".utf8)).value
        #expect(response.text == "PUT  data" && response.url == server.at("to"))
    }

    @Test func `an upload of an unreadable file, or of a value that cannot be encoded, sends nothing`() async throws {
        let server = try HostileServer { _, client in client.reply() }
        let folder = try TemporaryFolder()
        #expect(await client.upload(for: post(server.address), fromFile: folder.at("none")).failure() is CocoaError)
        #expect(await client.upload(for: post(server.address), json: [Double.nan]).failure() is EncodingError)
        #expect(server.requests.isEmpty)
    }

    @Test func `an upload counts the bytes that were sent`() async throws {
        let server = try HostileServer { _, client in client.reply(200, "reply") }
        let (progress, body) = (ProgressCounter(), Data(count: 300_000))
        _ = try await client.upload(for: post(server.address), from: body, progress: progress).value
        #expect(progress.snapshot == .init(completed: 300_000, total: 300_000))
    }

    @Test func `a download replaces its file when it is complete`() async throws {
        let (started, gate) = (Gate(), Gate())
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            started.open()
            gate.pass()
            client.send("full")
        }
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        let future = client.download(from: server.address, to: folder.at("file"))
        try await started.future.value
        #expect(folder.text("file") == "old")
        gate.open()
        let response = try await future.value
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(folder.text("file") == "halffull" && folder.names == ["file"])
    }

    @Test func `a download that fails or is cancelled leaves the file alone, and nothing beside it`() async throws {
        let arrived = Gate()
        let server = try HostileServer { request, client in
            if request.hasPrefix("GET /missing") { return client.reply(404, "none") }
            client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            if request.hasPrefix("GET /slow") {
                arrived.open()
                client.waitForClose()
            }
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "file")
        #expect(await client.download(from: server.at("missing"), to: file).failure()?.response?.status == 404)
        #expect(await client.download(from: server.at("half"), to: file).failure() is URLError)
        let options = HTTPOptions.patient { $0.maxBodySize = 10 }
        let error = await client.download(from: server.at("large"), to: file, options: options).failure()
        #expect(error is HTTPError, "\(String(describing: error))")
        let future = client.download(from: server.at("slow"), to: file)
        try await arrived.future.value
        #expect(await comesTrue { folder.names.count == 2 })
        future.cancel()
        #expect(folder.names == ["file"])
        #expect(folder.text("file") == "old")
    }

    @Test func `a counter has the bytes of all requests, and those of a retried request once only`() async throws {
        let count = Locked(0)
        let server = try HostileServer { _, client in
            let number = count.withLock {
                $0 += 1
                return $0
            }
            client.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            client.send(number == 1 ? "12345" : "1234567890")
        }
        let progress = ProgressCounter()
        let future = client.data(from: server.address, progress: progress).retry(.http(.constant(.zero)))
        #expect(try await future.value.text == "1234567890")
        _ = try await client.data(from: server.address, progress: progress).value
        #expect(count.withLock { $0 } == 3)
        #expect(progress.snapshot == .init(completed: 20, total: 20))
    }
}
