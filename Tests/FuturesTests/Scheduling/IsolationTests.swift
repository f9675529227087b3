// Isolation: closures that are isolated to an actor run on it. Contract/Schedulers.md

import Futures
import Testing

@MainActor private final class Screen {
    var values: [Int] = []
    nonisolated let schedulers = Log<Scheduler>()

    /// Compiles without an explicit hop: the closures are isolated to the main actor.
    func show(_ future: Future<Int>) -> Future<Void> {
        future.onValue {
            self.values.append($0)
            MainActor.assertIsolated()
            self.schedulers.add(.current)
        }.map { _ in self.values.append(0) }
    }
}

private actor Counter {
    var values: [Int] = []
    let schedulers = Log<Scheduler>()

    func count(_ future: Future<Int>) -> Future<Void> {
        future.map {
            self.values.append($0)
            self.assertIsolated()
            self.schedulers.add(.current)
        }
    }

    func place() -> Future<Scheduler> {
        Future(1).map { _ in
            self.assertIsolated()
            return .current
        }
    }
}

@Suite struct IsolationTests {
    @Test func `a callback attached in main-actor code runs on the main actor`() async throws {
        let screen = Screen()
        let promise = Promise<Int>()
        let shown = await screen.show(promise.future)
        onAnotherThread { promise.succeed(7) }
        try await shown.arrival().get()
        #expect(await screen.values == [7, 0])
        #expect(screen.schedulers.entries == [.main])
    }

    @Test func `a callback that captures an actor's self runs on that actor`() async throws {
        let counter = Counter()
        let promise = Promise<Int>()
        let counted = await counter.count(promise.future)
        onAnotherThread { promise.succeed(7) }
        try await counted.arrival().get()
        #expect(await counter.values == [7])
        // It is the actor's scheduler, which behaves like any other scheduler.
        #expect(counter.schedulers.entries.first != .background)
    }

    @Test func `callbacks for one actor keep their order`() async throws {
        for _ in 0..<20 {
            let counter = Counter()
            let count = 500
            let promises = (0..<count).map { _ in Promise<Int>() }
            var last: Future<Void>?
            // Attached by different calls; all of them share the actor's one list.
            for promise in promises { last = await counter.count(promise.future) }
            onAnotherThread { for (index, promise) in promises.enumerated() { promise.succeed(index) } }
            try await last!.arrival().get()
            #expect(await counter.values == Array(0..<count))
        }
    }

    @Test @MainActor func `a closure given with on: runs on that scheduler, even in main-actor code`() async throws {
        let there = Scheduler(label: "there")
        let place = Future(1).map(on: there) { _ in Scheduler.current }
        #expect(try await place.arrival().get() == there)
    }
}

extension Counter {
    /// Counts a call of a closure, which must run on this actor.
    private func called<Value>(returning value: Value) -> Value {
        preconditionIsolated()
        values.append(values.count)
        return value
    }

    /// Passes a closure of each form to the library, and returns the resulting futures.
    fileprivate func callEach() -> [Future<Int>] {
        let (failed, queue) = (Future<Int>(error: Oops()), FutureQueue(resource: 7))
        return [
            Future { completion in
                completion(.success(self.called(returning: 1)))
                return NilDisposer()
            },
            Future(immediate: { self.called(returning: 2) }),
            Future(3).map { self.called(returning: $0) },
            Future(4).mapResult { self.called(returning: try $0.get()) },
            Future(5).flatMap { self.called(returning: Future($0)) },
            Future(6).onValue { self.values.append(self.called(returning: $0)) },
            failed.recover { self.called(returning: $0 is Oops ? 7 : 0) },
            failed.flatMapError { self.called(returning: Future($0 is Oops ? 8 : 0)) },
            failed.onError { self.values.append(self.called(returning: $0 is Oops ? 9 : 0)) }
                .recover(on: .immediate) { _ in 9 },
            Future(10).always { self.called(returning: ()) },
            FutureQueue().enqueue { self.called(returning: Future(11)) },
            FutureQueue().run { self.called(returning: 12) },
            queue.enqueue {
                self.called(returning: Future($0 + 6))
            } finally: { resource, result in
                self.values.append(self.called(returning: resource + (try result.get())))
                return Future()
            },
            // Runs after the cleanup of the previous operation.
            queue.enqueue { self.called(returning: Future($0 + 7)) },
        ]
    }
}

extension IsolationTests {
    @Test func `every closure of an actor runs on that actor, whatever it takes and returns`() async throws {
        let counter = Counter()
        let futures = await counter.callEach()
        #expect(try await join(futures).arrival().get() == Array(1...14))
        // One for each closure, and the values that closures without a result received.
        #expect(await counter.values.count == 15 + 3)
        #expect(await Set(counter.values).isSuperset(of: [6, 9, 20]))
    }
}
