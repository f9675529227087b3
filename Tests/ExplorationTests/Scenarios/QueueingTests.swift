// Queues: turns are given, ended, cancelled and aborted by several threads; one operation has the turn at a time.

import Futures
import Synchronization
import Testing

/// Counts the operations that have the turn, and notes if there is more than one.
private final class Inside: Sendable {
    private let state = Mutex<(inside: Int, overlapped: Bool, count: Int)>((0, false, 0))

    func enter() {
        state.withLock { state in
            state.inside += 1
            state.count += 1
            if state.inside > 1 { state.overlapped = true }
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }

    /// Returns what is wrong. `allowed`: how many operations should have run.
    func failure(_ allowed: ClosedRange<Int>) -> String? {
        state.withLock { state in
            if state.overlapped { return "two operations at once" }
            if state.inside != 0 { return "an operation has not ended" }
            return allowed.contains(state.count) ? nil : "\(state.count) operations have run"
        }
    }

    /// An operation that is in its turn until `future` completes.
    func operation(_ future: Future<Tracked>) -> Future<Tracked> {
        enter()
        return future.always(on: .immediate) { self.leave() }
    }

    func operation() -> Future<Tracked> {
        enter()
        leave()
        return Future(Tracked(1))
    }
}

let queueingScenarios = [
    Scenario("enqueue, enqueue") {
        let (queue, inside) = (FutureQueue(), Inside())
        let enqueue: @Sendable () -> Void = { queue.enqueue(on: .immediate) { inside.operation() } }
        return .init(
            threads: [enqueue, enqueue], check: { inside.failure(2...2) ?? (queue.isEmpty ? nil : "not empty") })
    },
    Scenario("complete the running one, enqueue") {
        let (queue, inside, promise) = (FutureQueue(), Inside(), Promise<Tracked>())
        queue.enqueue(on: .immediate) { inside.operation(promise.future) }
        return .init(
            threads: [
                { promise.succeed(Tracked(1)) },
                { queue.enqueue(on: .immediate) { inside.operation() } },
            ], check: { inside.failure(2...2) ?? (queue.isEmpty ? nil : "not empty") })
    },
    Scenario("complete the running one, cancel the waiting one") {
        let (queue, inside, promise) = (FutureQueue(), Inside(), Promise<Tracked>())
        queue.enqueue(on: .immediate) { inside.operation(promise.future) }
        let waiting = queue.enqueue(on: .immediate) { inside.operation() }
        queue.enqueue(on: .immediate) { inside.operation() }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { waiting.cancel() }],
            check: { inside.failure(2...3) ?? (queue.isEmpty ? nil : "not empty") })
    },
    Scenario("complete the running one, cancel it") {
        let (queue, inside, promise) = (FutureQueue(), Inside(), Promise<Tracked>())
        let running = queue.enqueue(on: .immediate) { inside.operation(promise.future) }
        queue.enqueue(on: .immediate) { inside.operation() }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { running.cancel() }],
            check: { inside.failure(2...2) ?? (queue.isEmpty ? nil : "not empty") })
    },
    Scenario("complete the running one, abort all") {
        let (queue, inside, promise) = (FutureQueue(), Inside(), Promise<Tracked>())
        queue.enqueue(on: .immediate) { inside.operation(promise.future) }
        let waiting = queue.enqueue(on: .immediate) { inside.operation() }
        return .init(
            threads: [{ promise.succeed(Tracked(1)) }, { queue.abortQueuedOperations() }],
            check: {
                inside.failure(1...2) ?? (queue.isEmpty && waiting.isCompleted ? nil : "not empty")
            })
    },
    Scenario("complete the running one, cancel it, enqueue", threads: 3) {
        let (queue, inside, promise) = (FutureQueue(), Inside(), Promise<Tracked>())
        let running = queue.enqueue(on: .immediate) { inside.operation(promise.future) }
        return .init(
            threads: [
                { promise.succeed(Tracked(1)) }, { running.cancel() },
                { queue.enqueue(on: .immediate) { inside.operation() } },
            ], check: { inside.failure(2...2) ?? (queue.isEmpty ? nil : "not empty") })
    },
    Scenario("give back a permit, ask for one") {
        let (semaphore, inside) = (FutureSemaphore(count: 1), Inside())
        let permit = Kept(try! semaphore.acquire().wait())
        inside.enter()
        return .init(
            threads: [
                {
                    inside.leave()
                    permit.take().release()
                },
                {
                    semaphore.enqueue(on: .immediate) { inside.operation() }
                },
            ], check: { inside.failure(2...2) })
    },
    Scenario("give back a permit, cancel who asks for one") {
        let (semaphore, inside) = (FutureSemaphore(count: 1), Inside())
        let permit = Kept(try! semaphore.acquire().wait())
        let asking = semaphore.acquire().map(on: .immediate) { permit in
            permit.release()
            return Tracked(1)
        }
        return .init(
            threads: [{ permit.take().release() }, { asking.cancel() }],
            check: {
                // What a cancelled chain has left may be given back a little later (`LateRelease`).
                _ = try? semaphore.enqueue(on: .immediate) { inside.operation() }.wait(timeout: .seconds(10))
                return inside.failure(1...1)
            })
    },
    Scenario("give back a permit, give it back") {
        let (semaphore, inside, promise) = (FutureSemaphore(count: 1), Inside(), Promise<Tracked>())
        let permit = try! semaphore.acquire().wait()
        return .init(
            threads: [{ permit.release() }, { permit.release() }],
            check: {
                for _ in 0..<2 { semaphore.enqueue(on: .immediate) { inside.operation(promise.future) } }
                promise.succeed(Tracked(1))
                return inside.failure(2...2)
            })
    },
    Scenario("keys: complete the running one, enqueue for it") {
        let (queue, inside, promise) = (KeyedFutureQueue<Int>(), Inside(), Promise<Tracked>())
        queue.enqueue(on: .immediate, for: 1) { inside.operation(promise.future) }
        return .init(
            threads: [
                { promise.succeed(Tracked(1)) },
                { queue.enqueue(on: .immediate, for: 1) { inside.operation() } },
            ], check: { inside.failure(2...2) ?? (queue.isEmpty ? nil : "not empty") })
    },
]

extension ExplorationTests {
    @Suite struct Queueing {
        @Test(arguments: names(of: queueingScenarios))
        func `every order of the threads is right`(_ name: String) { check(name, queueingScenarios) }
    }
}
