// Futures in the values of operations. Contract/Turns.md

import Futures
import Testing

extension TurnGiver {
    fileprivate func give<T: Sendable>(_ value: T) -> Future<T> { on(.immediate).run { _ in value } }
}

@Suite struct ContainedFutureTests {
    /// Operations of a queue whose value contains `gate`.
    private static let ways: [@Sendable (FutureQueue<Void>, Future<Int>) -> any Sendable] = [
        { queue, gate in queue.on(.immediate).run { Optional(gate) } },
        { queue, gate in queue.on(.immediate).run { [Future(1), gate] } },
        { queue, gate in queue.on(.immediate).enqueue { Future(1).map(on: .immediate) { _ in gate } } },
        { queue, gate in queue.on(.immediate).enqueueBatch { _ in Future(gate) } },
    ]

    @Test func `a future in the value of an operation keeps the turn until it has completed`() {
        func check(_ name: String, _ giver: any TurnGiver, _ start: (Future<Int>) -> any Sendable) {
            let gate = Promise<Int>()
            let first = start(gate.future)
            let next = giver.give(1)
            #expect(!next.isCompleted, "\(name)")
            gate.fail(Oops())
            #expect(next.isCompleted, "\(name)")
            withExtendedLifetime(first) {}
        }
        for (name, _, giver) in turnKinds() { check(name, giver) { giver.give($0) } }
        for (index, way) in Self.ways.enumerated() {
            let queue = FutureQueue()
            check("\(index)", queue) { way(queue, $0) }
        }
    }

    @Test func `a future in the value of an asynchronous operation keeps the turn until it completes`() async throws {
        let (queue, gate) = (FutureQueue(), Promise<Int>())
        let first = queue.run { () async -> Future<Int> in gate.future }
        let inner = first.map(on: .immediate) { $0.isCompleted }
        let next = queue.run { gate.future.isCompleted }
        #expect(await comesTrue { queue.runningCount == 1 })
        gate.succeed(1)
        #expect(try await inner.value)
        #expect(try await next.value)
    }

    @Test func `cancelling such an operation cancels the future in its value`() {
        let (queue, cancelled) = (FutureQueue(), Shared(false))
        let first = queue.on(.immediate).run { stoppable { cancelled.value = true } }
        let next = queue.on(.immediate).run {}
        #expect(!next.isCompleted)
        first.cancel()
        #expect(cancelled.value)
        #expect(next.isCompleted)
    }

    @Test(arguments: [false, true])
    func `a cleanup waits for the future in a value, also if the operation was cancelled`(isContained: Bool) {
        let (queue, loading, saving) = (FutureQueue(), Promise<Future<Int>>(), Promise<Int>())
        let cleaned = Shared(false)
        let first = queue.on(.immediate).enqueue({ loading.future }, finally: { _, _ in Future(cleaned.value = true) })
        // Both futures have other listeners, so neither is cancelled.
        loading.future.onValue(on: .immediate) { _ in }
        saving.future.onValue(on: .immediate) { _ in }
        if isContained { loading.succeed(saving.future) }
        first.cancel()
        loading.succeed(saving.future)
        #expect(!cleaned.value)
        saving.succeed(1)
        #expect(cleaned.value)
        #expect(queue.isEmpty)
    }
}
