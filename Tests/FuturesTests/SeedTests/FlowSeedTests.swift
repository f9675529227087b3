// The Flow seed's examples that need no network, as close to their text as Swift allows.

import Dispatch
import Foundation
import Futures
import Testing

private struct Friend: Sendable, Equatable { let name: String }
private struct Pet: Sendable, Equatable { let name: String }

private let userURL = URL(fileURLWithPath: "/user")

@Suite struct FlowSeedTests {
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
