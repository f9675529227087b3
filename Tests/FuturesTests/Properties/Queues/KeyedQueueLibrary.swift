// KeyedQueueLibrary: keyed queues with a single key, on which queue programs run.

import Futures

/// Keyed queues with a single key, with everything on `.immediate`. They have no batches.
final class KeyedQueueLibrary: QueueMachine {
    private let library = QueueLibrary()

    func queue(limit: Int, bound: Int) -> KeyedFutureQueue<Int> {
        KeyedFutureQueue(maxConcurrentCountPerKey: limit, maxWaitingCount: bound)
    }

    func promise() -> Promise<Int> { Promise() }
    func complete(_ promise: Promise<Int>, _ outcome: Outcome) { library.complete(promise, outcome) }

    func enqueue(
        _ queue: KeyedFutureQueue<Int>, _ priority: QueuePriority, repeats: Int,
        _ body: @escaping @Sendable () -> QueueReturn<Promise<Int>>
    ) -> Future<Int> {
        library.repeating(
            queue[1].on(.immediate).enqueue(with: .priority(priority)) { try QueueLibrary.future(body()) }, repeats)
    }

    func batch(
        _ queue: KeyedFutureQueue<Int>, repeats: Int,
        _ body: @escaping @Sendable (KeyedFutureQueue<Int>) -> QueueReturn<Promise<Int>>
    ) -> Future<Int> {
        fatalError("A keyed queue has no batches.")
    }

    func listen(_ end: Future<Int>, _ callback: @escaping @Sendable (Outcome) -> Void) -> Future<Int> {
        library.listen(end, callback)
    }

    func outcome(of end: Future<Int>) -> Outcome? { library.outcome(of: end) }
    func cancel(_ end: Future<Int>) { end.cancel() }

    func abort(_ queue: KeyedFutureQueue<Int>, closes: Bool) {
        if closes { queue.close(with: QueueLibrary.Failure(number: -3)) }
        queue.cancelAll(with: QueueLibrary.Failure(number: -3))
    }

    func close(_ queue: KeyedFutureQueue<Int>) { queue.close() }
    func pause(_ queue: KeyedFutureQueue<Int>) { queue.isPaused = true }
    func resume(_ queue: KeyedFutureQueue<Int>) { queue.isPaused = false }

    func drained(_ queue: KeyedFutureQueue<Int>, _ callback: @escaping @Sendable () -> Void) {
        queue.drained().onValue(on: .immediate) { callback() }
    }

    func report(of queue: KeyedFutureQueue<Int>) -> QueueReport {
        QueueReport(
            waiting: queue.waitingCount, running: queue.runningCount, isClosed: queue.closedError != nil,
            isPaused: queue.isPaused)
    }
}
