// Queues and locks: operations are enqueued, completed, cancelled and aborted; one has the turn at a time.

import Futures

/// What is common to queues, locks and pools.
private struct Queue {
    let enqueue: @Sendable (@escaping @Sendable () -> Future<Tracked>) -> Future<Tracked>
    var abort: (@Sendable () -> Void)?
    var close: (@Sendable () -> Void)?
    var pause: (@Sendable () -> Void)?
    var resume: (@Sendable () -> Void)?
    let count: @Sendable () -> Int
}

private let queues: KeyValuePairs<String, @Sendable () -> Queue> = [
    "a queue": {
        let queue = FutureQueue()
        return Queue(
            enqueue: { queue.enqueue(on: .immediate, $0) }, abort: { queue.abortQueuedOperations() },
            close: { queue.close() }, pause: { queue.pause() }, resume: { queue.resume() },
            count: { queue.runningCount + queue.waitingCount })
    },
    "a keyed queue": {
        let queue = KeyedFutureQueue<Int>()
        return Queue(
            enqueue: { queue.enqueue(on: .immediate, for: 1, $0) }, abort: { queue.abortQueuedOperations(for: 1) },
            close: { queue.close() }, pause: { queue.pause() }, resume: { queue.resume() },
            count: { queue.runningCount + queue.waitingCount })
    },
    "a batch": {
        let queue = FutureQueue()
        return Queue(
            enqueue: { operation in
                queue.enqueueBatch(on: .immediate) { inner in inner.enqueue(on: .immediate, operation) }
            },
            abort: { queue.abortQueuedOperations() }, count: { queue.runningCount + queue.waitingCount })
    },
    "a mutex": {
        let mutex = FutureMutex()
        return Queue(
            enqueue: { mutex.enqueue(on: .immediate, $0) }, count: { mutex.waitingCount + (mutex.isLocked ? 1 : 0) })
    },
    "a writer's lock": {
        let lock = FutureReadWriteLock()
        return Queue(
            enqueue: { lock.enqueueWriting(on: .immediate, $0) }, count: { lock.waitingCount + lock.takenCount })
    },
    "a pool": {
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(0) }
        return Queue(
            enqueue: { operation in pool.enqueue(on: .immediate) { _ in operation() } },
            close: { pool.close() }, count: { pool.waitingCount + pool.takenCount })
    },
]

let queueSubjects = queues.map { name, make in
    Subject(name) {
        let (queue, turn, source) = (make(), OneAtATime(), Source(1))
        let running = Consumed(queue.enqueue { turn.operation(source.future) })
        let waiting = Consumed(queue.enqueue { turn.operation() })
        let last = Consumed(queue.enqueue { turn.operation() })
        var actions: [(String, @Sendable () -> Void)] = [
            ("complete", source.complete), ("fail", source.fail), ("cancel", running.cancel),
            ("attach", running.attach), ("cancel a waiting one", waiting.cancel),
            ("attach to a waiting one", waiting.attach), ("release a waiting one", waiting.release),
            ("enqueue", { _ = queue.enqueue { turn.operation() } }),
        ]
        if let abort = queue.abort { actions.append(("abort", abort)) }
        if let close = queue.close { actions.append(("close", close)) }
        if let pause = queue.pause { actions.append(("pause", pause)) }
        return .init(
            actions: actions,
            outcome: {
                source.end()
                queue.resume?()
                return [
                    running.summary, waiting.summary, last.summary, turn.failure ?? "in turn", "\(queue.count()) left",
                ]
            })
    }
}
