// The Flow seed's examples, as close to their text as Swift allows.

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

private typealias Data = Foundation.Data

// MARK: Stand-ins for URLSession, Lift's Jar and the models

/// Answers like URLSession, with given responses.
private final class Session: Sendable {
    let answers: [String: String]
    let log = Log<String>()

    init(_ answers: [String: String] = [:]) { self.answers = answers }

    struct Task: Sendable {
        let resume: @Sendable () -> Void
        let cancel: @Sendable () -> Void
    }

    func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, String?, (any Error)?) -> Void
    ) -> Task {
        let answer = answers[url.path]
        let handler = Shared<(@Sendable (Data?, String?, (any Error)?) -> Void)?>(completionHandler)
        return Task(
            resume: {
                DispatchQueue.global().async {
                    // Retained until the cancel: otherwise the future would be abandoned.
                    if answer == "hang" { return }
                    let handler = handler.change { $0.take() }
                    handler?(answer.map { Data($0.utf8) }, nil, answer == nil ? Oops(404) : nil)
                }
            },
            cancel: { [log] in
                log.add("cancel")
                handler.value = nil
            })
    }
}

/// A simplified JSON: `key=value` pairs.
private struct Jar: Sendable {
    let pairs: [String: String]

    init(json: Data) throws {
        let text = String(decoding: json, as: UTF8.self)
        guard text.contains("=") else { throw Oops(400) }
        let parts = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        pairs = Dictionary(uniqueKeysWithValues: parts.map { ($0[0], $0[1]) })
    }
}

private struct User: Sendable, Equatable {
    let name: String
    let friendsURL: URL

    init(_ jar: Jar) throws {
        guard let name = jar.pairs["name"], let path = jar.pairs["friends"] else { throw Oops(422) }
        self.name = name
        friendsURL = URL(fileURLWithPath: path)
    }
}

private struct Friend: Sendable, Equatable { let name: String }
private struct Pet: Sendable, Equatable { let name: String }

private let userURL = URL(fileURLWithPath: "/user")
private let friendsURL = URL(fileURLWithPath: "/friends")

// MARK: The seed's text

extension Session {
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

    fileprivate func image(at url: URL) -> Future<Data> { data(at: url) }

    fileprivate func friends(at url: URL) -> Future<[Friend]> {
        json(at: url).map { jar in jar.pairs.values.sorted().map(Friend.init) }
    }
}

@Suite struct FlowSeedTests {
    private let session = Session(["/user": "name=Ann,friends=/friends", "/friends": "1=Bob,2=Cy"])

    @Test func `constructing a future and retrieving its result`() throws {
        let heard = Log<String>()
        _ = try session.data(at: userURL).onResult { result in
            switch result {
            case .success(let data): heard.add(String(decoding: data, as: UTF8.self))
            case .failure(let error): heard.add("\(error)")
            }
        }.wait(timeout: testTimeout)
        #expect(heard.entries == ["name=Ann,friends=/friends"])
        // The task was cleaned up once the future had completed.
        #expect(session.log.entries == ["cancel"])
        #expect(throws: Oops(404)) { try session.data(at: URL(fileURLWithPath: "/x")).wait(timeout: testTimeout) }
    }

    @Test func `transformations`() throws {
        let friends = session.user(at: userURL).flatMap { user in
            return session.friends(at: user.friendsURL)
        }
        #expect(try friends.wait(timeout: testTimeout) == [Friend(name: "Bob"), Friend(name: "Cy")])
        #expect(throws: Oops(400)) { try Session(["/user": "?"]).json(at: userURL).wait(timeout: testTimeout) }
    }

    @Test func `the happy flow`() throws {
        let heard = Log<String>()
        func run(_ session: Session) throws {
            try session.json(at: userURL).flatMap { jar in
                let user = try User(jar)
                return session.json(at: user.friendsURL)
            }.map { jar in
                let friends: [Friend] = jar.pairs.values.sorted().map(Friend.init)
                return friends
            }.onValue { friends in
                // everything was successful
                heard.add(friends.map(\.name).joined())
            }.onError { error in
                // something failed
                heard.add("\(error as? Oops == Oops(404))")
            }.map { _ in }.mapError { _ in }.wait(timeout: testTimeout)
        }
        try run(session)
        try run(Session(["/user": "name=Ann,friends=/nowhere"]))
        #expect(heard.entries == ["BobCy", "true"])
    }

    @Test func `cancelling, by itself or with a bag`() {
        let session = Session(["/user": "hang"])
        let imageFuture = session.image(at: userURL)
        imageFuture.cancel()
        #expect(imageFuture.isCancelled)
        #expect(session.log.entries == ["cancel"])

        let bag = DisposeBag()
        bag += session.image(at: userURL).disposable
        bag.dispose()
        #expect(session.log.entries == ["cancel", "cancel"])

        // If the future has continuations, a cancellation will be ignored.
        let promise = Promise<Int>()
        let continued = promise.future.map { $0 }
        promise.future.cancel()
        #expect(!continued.isCompleted && !promise.future.isCompleted)
    }

    @Test func `combining futures`() throws {
        let friend: Future<Friend> = Future(Friend(name: "Bob"))
        let pet: Future<Pet> = Future(Pet(name: "Rex"))
        let friendAndPet = join(friend, pet)  // Future<(Friend, Pet)>
        let both: (Friend, Pet) = try friendAndPet.wait(timeout: testTimeout)
        #expect(both == (Friend(name: "Bob"), Pet(name: "Rex")))

        let friendOrPet = select(friend, or: pet)  // Future<Either<Friend, Pet>>
        let either: Either<Friend, Pet> = try friendOrPet.wait(timeout: testTimeout)
        #expect(either == .left(Friend(name: "Bob")))
    }

    @Test func `repeating, also with an asynchronous predicate`() throws {
        let runs = Shared(0)
        let data: @Sendable (URL) -> Future<Int> = { _ in
            Future { completion in
                completion(runs.increment() < 3 ? .failure(Oops(503)) : .success(runs.value))
                return NilDisposer()
            }
        }
        #expect(try data(userURL).onErrorRepeat().wait(timeout: testTimeout) == 3)

        runs.value = 0
        let alerts = Log<Bool>()
        @Sendable func showRetryAlert(for error: any Error) -> Future<Bool> {
            alerts.add(error is Oops)
            return Future(true).delay(by: .milliseconds(1))
        }
        let repeated = data(userURL).onErrorRepeat { error in
            showRetryAlert(for: error)
        }
        #expect(try repeated.wait(timeout: testTimeout) == 3)
        #expect(alerts.entries == [true, true])
    }

    @Test func `scheduling`() async throws {
        let imageProcessing = Scheduler(label: "image processing", attributes: .concurrent)
        let fetchImage = Future("image")
        let places = Log<Scheduler>()

        let future = Future(1)
        let caller = Scheduler(label: "caller")
        let (here, main) = caller.sync {
            (
                future.map { _ in
                    // Will be called back on the current scheduler at the time `map` was called.
                    Scheduler.current
                },

                future.map(on: .main) { _ in
                    // Will be called back on the main queue no matter from where `map` was called.
                    Scheduler.current
                }
            )
        }
        #expect(try await here.arrival().get() == caller)
        #expect(try await main.arrival().get() == .main)

        // call from main
        let shown = Promise<String>()
        DispatchQueue.main.async {
            fetchImage.map(on: imageProcessing) { image in
                places.add(.current)  // called in background
                return image + ", scaled and decorated"
            }.onValue { image in
                places.add(.current)  // called on main
                shown.succeed(image)
            }
        }
        #expect(try await shown.future.arrival().get() == "image, scaled and decorated")
        #expect(places.entries == [imageProcessing, .main])
    }

    @Test func `future queues`() {
        let log = Log<String>()
        let gate = Promise<Int>()
        @Sendable func anOperation() -> Future<Int> {
            log.add("an operation")
            return gate.future
        }
        @Sendable func otherOperation() -> Future<Int> {
            log.add("other operation")
            return Future(2)
        }
        let here = Scheduler(label: "here")
        here.sync {
            let queue = FutureQueue()
            queue.enqueue { anOperation() }
            // ...
            // Called by other user.
            // The closure passed to `enqueue()` won't execute until `anOperation()` completes.
            let other = queue.enqueue { otherOperation() }
            #expect(log.entries == ["an operation"])
            gate.succeed(1)
            #expect(log.entries == ["an operation", "other operation"])
            #expect(other.success == 2)
        }
    }
}
