// Replies of servers, good and bad. Contract/HTTP.md

import Foundation
import Futures
import FuturesFoundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct User: Codable, Sendable, Equatable {
    var name: String
}

@Suite struct HTTPDataTests {
    let client = HTTPClient(options: .patient)

    @Test func `a reply has its status, its fields and its body`() async throws {
        let server = try HostileServer { _, client in client.reply(201, "hello", fields: "X-One: 1\r\n") }
        let response = try await client.data(from: server.at("a")).value
        #expect(response.status == 201 && response.text == "hello" && response.field("x-one") == "1")
        #expect(response.url == server.at("a"))
        #expect(server.requests.first?.hasPrefix("GET /a HTTP/1.1") == true)
    }

    @Test func `a rejected status is an error that keeps the reply`() async throws {
        let server = try HostileServer { _, client in client.reply(404, "no such page") }
        let response = await client.data(from: server.address).failure()?.response
        #expect(response?.status == 404 && response?.text == "no such page")
    }

    @Test func `a long body of an error is kept up to its limit, and not received to its end`() async throws {
        let server = try HostileServer { _, client in
            client.send("HTTP/1.1 500 Oops\r\n\r\n")
            while client.send(String(repeating: "x", count: 10_000)) {}
        }
        let options = HTTPOptions.patient { $0.maxErrorBodySize = 1000 }
        let response = await client.data(from: server.address, options: options).failure()?.response
        #expect(response?.status == 500 && response?.body.count == 1000)
    }

    @Test func `redirects are followed, unless the options say otherwise`() async throws {
        let server = try HostileServer { request, client in
            if request.hasPrefix("GET /from") {
                client.reply(302, "", fields: "Location: /to\r\n")
            } else {
                client.reply(200, "arrived")
            }
        }
        let followed = try await client.data(from: server.at("from")).value
        #expect(followed.text == "arrived" && followed.url == server.at("to"))
        let options = HTTPOptions.patient { ($0.followsRedirects, $0.acceptsStatus) = (false, { $0 == 302 }) }
        let stayed = try await client.data(from: server.at("from"), options: options).value
        #expect(stayed.status == 302 && stayed.field("location") == "/to")
    }

    @Test func `a redirect to another server carries no credentials`() async throws {
        let other = try HostileServer { request, client in client.reply(200, request) }
        let server = try HostileServer { request, client in
            let parts = request.split(separator: " ")[1].split(separator: "/")
            guard let status = parts.first.flatMap({ Int($0) }) else { return client.reply(200, request) }
            let target = parts[1] == "same" ? "/" : other.address.absoluteString
            client.reply(status, "", fields: "Location: \(target)\r\n")
        }
        for (method, status) in [("GET", 302), ("POST", 307)] {
            for place in ["same", "other"] {
                var request = URLRequest(url: server.at("\(status)/\(place)"))
                request.httpMethod = method
                if method == "POST" { request.httpBody = Data("body".utf8) }
                request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                request.setValue("session=secret", forHTTPHeaderField: "Cookie")
                request.setValue("kept", forHTTPHeaderField: "X-Other")
                let text = try await client.data(for: request).value.text
                #expect(text.contains("kept") && text.contains("secret") == (place == "same"), "\(text)")
            }
        }
    }

    @Test func `an address that is not one of HTTP is an error`() async throws {
        for address in ["file:///etc/hosts", "ftp://127.0.0.1/", "x:y", "relative"] {
            guard case HTTPError.notHTTP? = await client.data(from: URL(string: address)!).failure() else {
                Issue.record("\(address)")
                continue
            }
        }
    }

    @Test func `a server that is missing, says nothing or breaks off is an error of the connection`() async throws {
        let server = try HostileServer { request, client in
            if request.hasPrefix("GET /nothing") { return }
            if request.hasPrefix("GET /garbage") { return _ = client.send("garbage\r\n\r\n") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n"
            client.send(request.hasPrefix("GET /head") ? head : head + "\r\nhalf")
        }
        for path in ["nothing", "half"] {
            let error = await client.data(from: server.at(path)).failure()
            #expect(error is URLError, "\(path): \(String(describing: error))")
        }
        #expect((await client.data(from: server.at("head")).failure() as? URLError)?.code == .networkConnectionLost)
        let address = server.address
        server.stop()
        #expect(await client.data(from: address).failure() is URLError)
    }

    @Test func `a value is decoded from a reply, and a body that cannot be decoded is kept in the error`() async throws
    {
        let server = try HostileServer { request, client in
            client.reply(200, request.hasPrefix("GET /good") ? #"{"name":"Ada"}"# : "<html>")
        }
        #expect(try await client.data(from: server.at("good")).decode(User.self).value == User(name: "Ada"))
        #expect(await client.data(from: server.at("bad")).decode(User.self).failure()?.response?.text == "<html>")
    }
}
