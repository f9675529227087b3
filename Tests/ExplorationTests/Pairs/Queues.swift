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
            enqueue: { queue.on(.immediate).enqueue($0) }, abort: { queue.cancelAll() },
            close: { queue.close() }, pause: { queue.isPaused = true }, resume: { queue.isPaused = false },
            count: { queue.runningCount + queue.waitingCount })
    },
    "a keyed queue": {
        let queue = KeyedFutureQueue<Int>()
        return Queue(
            enqueue: { queue[1].on(.immediate).enqueue($0) }, abort: { queue[1].cancelAll() },
            close: { queue.close() }, pause: { queue.isPaused = true }, resume: { queue.isPaused = false },
            count: { queue.runningCount + queue.waitingCount })
    },
    "a batch": {
        let queue = FutureQueue(executeOn: .immediate)
        return Queue(
            enqueue: { operation in
                queue.enqueueBatch { inner in inner.on(.immediate).enqueue(operation) }
            },
            abort: { queue.cancelAll() }, count: { queue.runningCount + queue.waitingCount })
    },
    "a mutex": {
        let mutex = FutureMutex()
        return Queue(
            enqueue: { mutex.on(.immediate).enqueue($0) }, count: { mutex.waitingCount + (!mutex.isEmpty ? 1 : 0) })
    },
    "a writer's lock": {
        let lock = FutureReadWriteLock()
        return Queue(
            enqueue: { lock.writing.on(.immediate).enqueue($0) }, count: { lock.waitingCount + lock.runningCount })
    },
    "a pool": {
        let pool = ResourcePool(maxCount: 1, on: .immediate) { Future(0) }
        return Queue(
            enqueue: { operation in pool.on(.immediate).enqueue { _ in operation() } },
            close: { pool.close() }, count: { pool.waitingCount + pool.runningCount })
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
