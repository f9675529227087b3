// propagating: which task-local values callbacks see. Contract/Schedulers.md

import Dispatch
import Futures
import Testing

enum Request {
    @TaskLocal static var id = "none"
    @TaskLocal static var user: User?

    final class User: Sendable {}

    /// Calls `body` with this id, which the futures of `body` carry.
    static func with<T>(_ id: String, _ body: () throws -> T) rethrows -> T {
        try $id.withValue(id) { try propagating($id, operation: body) }
    }
}

extension Future {
    var found: Value? { get async { try? await value } }
}

/// What carries once makes each later step look for values, so each of these runs in a process of its own.
@Suite struct CarryingTests {
    @Test func `a callback has the values that were carried where it was attached`() async {
        await #expect(processExitsWith: .success) {
            let schedulers: [Scheduler] = [
                .immediate, .background, .main, Scheduler(label: "own"),
                Scheduler(queue: DispatchQueue(label: "queue")),
                .background,
            ]
            for scheduler in schedulers {
                let promise = Promise<Int>()
                let seven = Request.with("7") { promise.future.map(on: scheduler) { _ in Request.id } }
                let eight = Request.with("8") { promise.future.map(on: scheduler) { _ in Request.id } }
                Request.$id.withValue("of the code that completes") { promise.succeed(1) }
                #expect(await seven.found == "7")
                #expect(await eight.found == "8")
                let late = Request.with("9") { promise.future.map(on: scheduler) { _ in Request.id } }
                #expect(await late.found == "9")
            }
            #expect(Request.id == "none")
        }
    }

    @Test func `an actor's callback has the values`() async {
        await #expect(processExitsWith: .success) {
            actor Account {
                var ids: [String] = []
                func note(_ future: Future<Int>) -> Future<Void> { future.map { _ in self.ids.append(Request.id) } }
            }
            let (account, promise) = (Account(), Promise<Int>())
            let noted = await Request.$id.withValue("7") {
                await propagating(Request.$id) { await account.note(promise.future) }
            }
            promise.succeed(1)
            _ = await noted.found
            #expect(await account.ids == ["7"])
            let onMain = await MainActor.run {
                Request.with("8") { promise.future.map { @MainActor _ in Request.id } }
            }
            #expect(await onMain.found == "8")
        }
    }

    @Test func `what a callback makes carries the values on`() async {
        await #expect(processExitsWith: .success) {
            let (promise, inner) = (Promise<Int>(), Promise<Int>())
            let id = Request.with("7") {
                promise.future.flatMap(on: .background) { _ in inner.future.map(on: .background) { _ in } }
            }
            .flatMap(on: .immediate) { Future(Request.id) }
            let deep = Request.with("8") {
                promise.future.flatMap(on: .background) { _ in
                    inner.future.flatMap(on: .background) { _ in Future(on: .background, immediate: { Request.id }) }
                }
            }
            promise.succeed(1)
            inner.succeed(1)
            #expect(await deep.found == "8")
            // Attached outside of `propagating`.
            #expect(await ["none", "7"].contains(id.found))
        }
    }

    @Test func `a callback that is attached outside of propagating carries nothing on`() async {
        await #expect(processExitsWith: .success) {
            let (promise, inner) = (Promise<Int>(), Promise<Int>())
            let carried = Request.with("7") { promise.future.map(on: .background) { _ in Request.id } }
            // In the callback in progress, but not of its chain.
            let outside = carried.flatMap(on: .background) { _ in inner.future.map(on: .background) { _ in Request.id }
            }
            promise.succeed(1)
            _ = await carried.found
            inner.succeed(1)
            #expect(await outside.found == "none")
        }
    }

    @Test func `a propagating call inside of another one carries the variables of both`() async {
        await #expect(processExitsWith: .success) {
            let (promise, user) = (Promise<Int>(), Request.User())
            let both = Request.with("7") {
                Request.$user.withValue(user) {
                    propagating(Request.$user, Request.$id) {
                        promise.future.map(on: .background) { _ in (Request.id, Request.user === user) }
                    }
                }
            }
            promise.succeed(1)
            let found = await both.found
            #expect(found?.0 == "7" && found?.1 == true)
        }
    }

    @Test func `a task in a propagating call carries, and so does a future's task`() async {
        await #expect(processExitsWith: .success) {
            let promise = Promise<Int>()
            let id = try? await Request.$id.withValue("7") {
                try await propagating(Request.$id) {
                    await Task.yield()
                    async let future = promise.future.map(on: .background) { _ in Request.id }
                    promise.succeed(1)
                    return try await future.value
                }
            }
            #expect(id == "7")
            let started = Promise<Int>()
            let inTask = Request.with("8") {
                started.future.flatMap(on: .background) { _ in
                    Future {
                        await Task.yield()
                        return try await promise.future.map(on: .background) { _ in Request.id }.value
                    }
                }
            }
            started.succeed(1)
            #expect(await inTask.found == "8")
        }
    }

    @Test func `closures of a scheduler's async and performWhile have the values`() async {
        await #expect(processExitsWith: .success) {
            let (now, later, work) = (Promise<String>(), Promise<String>(), Promise<String>())
            let pending = Promise<Int>()
            let future = Request.with("7") {
                Scheduler.background.async { now.succeed(Request.id) }
                Scheduler.background.async(after: .milliseconds(1)) { later.succeed(Request.id) }
                return pending.future.performWhile(on: .background, delayBy: .milliseconds(1)) {
                    work.succeed(Request.id)
                    return Disposer {}
                }
            }
            #expect(await now.future.found == "7")
            #expect(await later.future.found == "7")
            #expect(await work.future.found == "7")
            pending.succeed(1)
            _ = await future.found
        }
    }
}
