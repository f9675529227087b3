// The Flow seed's examples that load data, with Foundation's URLSession and JSON, as close to their text as Swift allows.

import Foundation
import Futures
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: Stand-ins for Lift's Jar and the models

private struct Jar: @unchecked Sendable {
    /// Dictionaries, arrays, strings and numbers, which do not change.
    let object: Any

    init(json: Data) throws { object = try JSONSerialization.jsonObject(with: json) }

    subscript(key: String) -> String {
        get throws {
            guard let value = (object as? [String: Any])?[key] as? String else { throw Oops() }
            return value
        }
    }
}

private struct User: Sendable, Equatable {
    let name: String
    let friendsURL: URL

    init(_ jar: Jar) throws {
        name = try jar["name"]
        friendsURL = try URL(string: jar["friends"])!
    }
}

private struct Friend: Sendable, Equatable { let name: String }

extension [Friend] {
    fileprivate init(_ jar: Jar) throws {
        guard let names = jar.object as? [String] else { throw Oops() }
        self = names.map(Friend.init)
    }
}

// MARK: The seed's text

extension URLSession {
    fileprivate func data(at url: URL) -> Future<Data> {
        return Future { completion in
            let task = self.dataTask(with: url) { data, _, error in
                if let error = error {
                    completion(.failure(error))
                } else {
                    completion(.success(data!))
                }
            }
            task.resume()

            // make sure to clean-up once the future is completed or cancelled
            return Disposer { task.cancel() }
        }
    }

    fileprivate func json(at url: URL) -> Future<Jar> {
        return data(at: url).map { data in
            try Jar(json: data)
        }
    }

    fileprivate func user(at url: URL) -> Future<User> {
        json(at: url).map { try User($0) }
    }

    fileprivate func friends(at url: URL) -> Future<[Friend]> {
        json(at: url).map { jar in try [Friend](jar) }
    }
}

@Suite struct FlowSeedNetworkTests {
    private let session = URLSession.patient
    private let server: HostileServer

    init() throws {
        let closed = Locked(0)
        server = try HostileServer { request, client in
            let path = String(request.split(separator: " ")[1])
            let host = request.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }!.dropFirst(6)
            switch path {
            case "/user": client.reply(200, #"{"name": "Ann", "friends": "http://\#(host)/friends"}"#)
            case "/friends": client.reply(200, #"["Bob", "Cy"]"#)
            case "/lonely": client.reply(200, #"{"name": "Ann", "friends": "http://127.0.0.1:1/"}"#)
            case "/never":
                client.waitForClose()
                closed.withLock { $0 += 1 }
            default: client.reply(200, "no JSON")
            }
        }
        self.closed = closed
    }

    /// How many requests for `/never` their client has ended.
    private let closed: Locked<Int>

    @Test func `constructing a future and retrieving its result`() async throws {
        let heard = Locked<[String]>([])
        for url in [server.at("friends"), URL(string: "http://127.0.0.1:1/")!] {
            _ = await session.data(at: url).onResult { result in
                switch result {
                case .success(let data): heard.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
                case .failure(let error): heard.withLock { $0.append("\(error is URLError)") }
                }
            }.arrival()
        }
        #expect(heard.withLock { $0 } == [#"["Bob", "Cy"]"#, "true"])
    }

    @Test func `transformations`() async throws {
        let session = session
        let friends = session.user(at: server.at("user")).flatMap { user in
            return session.friends(at: user.friendsURL)
        }
        #expect(try await friends.value == [Friend(name: "Bob"), Friend(name: "Cy")])
        await #expect(throws: (any Error).self) { try await session.json(at: server.at("other")).value }
    }

    @Test func `the happy flow`() async throws {
        let (session, heard) = (session, Locked<[String]>([]))
        for path in ["user", "lonely"] {
            _ = await session.json(at: server.at(path)).flatMap { jar in
                let user = try User(jar)
                return session.json(at: user.friendsURL)
            }.map { jar in
                let friends = try [Friend](jar)
                return friends
            }.onValue { friends in
                // everything was successful
                heard.withLock { $0.append(friends.map(\.name).joined()) }
            }.onError { error in
                // something failed
                heard.withLock { $0.append("\(error is URLError)") }
            }.arrival()
        }
        #expect(heard.withLock { $0 } == ["BobCy", "true"])
    }

    @Test func `cancelling, by itself or with a bag`() async throws {
        let never = server.at("never")
        let imageFuture = session.data(at: never)
        #expect(await comesTrue { server.requests.count == 1 })
        imageFuture.cancel()
        #expect(imageFuture.isCancelled)
        #expect(await comesTrue { closed.withLock { $0 } == 1 })

        let bag = DisposeBag()
        bag += session.data(at: never).disposable
        #expect(await comesTrue { server.requests.count == 2 })
        bag.dispose()
        #expect(await comesTrue { closed.withLock { $0 } == 2 })

        // If the future has continuations, a cancellation will be ignored.
        let promise = Promise<Int>()
        let continued = promise.future.map { $0 }
        promise.future.cancel()
        #expect(!continued.isCompleted && !promise.future.isCompleted)
    }
}
