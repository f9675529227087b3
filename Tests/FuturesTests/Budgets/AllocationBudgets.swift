// Allocation budgets: the table.

import Dispatch
import Futures
import Testing

/// Lets an object be seen by the world, so that the optimiser keeps it on the heap, where in real life it is.
@inline(never)
private func escape(_ value: some Sendable) {
    if isWanted { escaped = value }
}

@inline(never)
private func escape(completion: @escaping Future<Int>.Completion) {
    if isWanted { escapedCompletion = completion }
}

// Never, but the optimiser must not know.
private let isWanted = CommandLine.arguments.isEmpty
private nonisolated(unsafe) var escaped: (any Sendable)?
private nonisolated(unsafe) var escapedCompletion: Future<Int>.Completion?

extension Budget {
    /// Operations that stay on their thread.
    static let inPlace = [
        Budget("create completed, drop", [Reason(1, "the future, with its result inside")]) { times in
            for time in 0..<times { escape(Future(time)) }
        },
        Budget(
            "promise, one listener, complete",
            [
                Reason(
                    1, "the promise's token: its release tells that nobody will complete the future (rule 6)"),
                Reason(1, "its future"),
                Reason(1, "the listener's future"),
            ]
        ) { times in
            for time in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                promise.future.onValue(on: .immediate) { _ in }
                promise.succeed(time)
            }
        },
        Budget(
            "Future { completion in }, one listener",
            [
                Reason(1, "the future"),
                Reason(1, "its operation, which captures what the initialiser adds to the user's closure"),
                Reason(1, "the completion, whose release tells of abandonment (rule 6)"),
                Reason(1, "the listener's future"),
            ]
        ) { times in
            for _ in 0..<times {
                Future<Int>(on: .immediate) { completion in
                    escape(completion: completion)
                    completion(.success(1))
                    return NilDisposer()
                }.onValue(on: .immediate) { _ in }
            }
        },
        Budget(
            "10 maps, pending",
            [
                Reason(2, "the promise's token and its future, 0.2 of a map"), Reason(10, "one node for each map"),
            ]
        ) { times in
            for time in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                var last = promise.future
                for _ in 0..<10 { last = last.map(on: .immediate) { $0 &+ 1 } }
                promise.succeed(time)
            }
        },
        Budget(
            "10 maps, pending, with captured values",
            [
                Reason(2, "the promise's token and its future, 0.2 of a map"),
                Reason(10, "one node for each map"), Reason(10, "what the closures capture"),
            ]
        ) { times in
            for time in 0..<times {
                let promise = Promise<Int>()
                escape(promise)
                var last = promise.future
                for number in 0..<10 { last = last.map(on: .immediate) { $0 &+ number &* time } }
                promise.succeed(time)
            }
        },
        Budget(
            "10 maps where attached, pending",
            [
                Reason(2, "the promise's token and its future, 0.2 of a map"), Reason(10, "one node for each map"),
                Reason(10, "what the compiler adds to a closure that may be isolated"),
            ]
        ) { times in
            Scheduler.background.perform {
                for time in 0..<times {
                    let promise = Promise<Int>()
                    escape(promise)
                    var last = promise.future
                    for _ in 0..<10 { last = last.map { $0 &+ 1 } }
                    promise.succeed(time)
                }
            }
        },
        Budget(
            "10 maps, completed", [Reason(1, "the source"), Reason(10, "one node for each map")]
        ) { times in
            for time in 0..<times {
                var last = Future(time)
                for _ in 0..<10 { last = last.map(on: .immediate) { $0 &+ 1 } }
            }
        },
        Budget(
            "10 flatMaps to completed",
            [
                Reason(1, "the source"), Reason(10, "one node for each flatMap"),
                Reason(10, "the future that the closure makes"),
            ]
        ) { times in
            for time in 0..<times {
                var last = Future(time)
                for _ in 0..<10 { last = last.flatMap(on: .immediate) { Future($0 &+ 1) } }
            }
        },
        Budget(
            "recursive flatMap, 1 immediate step",
            [
                Reason(1, "the future that the step begins with"), Reason(1, "the flatMap's node"),
            ]
        ) { times in
            precondition(countDown(from: times).isCompleted)
        },
        Budget("FutureQueue, 1 operation", queued) { times in
            let queue = FutureQueue()
            for _ in 0..<times { queue.enqueue(on: .immediate) { Future(1) } }
            precondition(queue.isEmpty)
        },
        Budget("FutureQueue, 1 operation that waits", queued) { times in
            let (queue, gate) = (FutureQueue(), Promise<Int>())
            queue.enqueue(on: .immediate) { gate.future }
            for _ in 0..<times { queue.enqueue(on: .immediate) { Future(1) } }
            gate.succeed(0)
            precondition(queue.isEmpty)
        },
    ]

    /// Operations of queues, where they find the queue empty and where they wait.
    static let queues = [
        Budget(
            "FutureQueue with a resource, 1 operation where attached",
            queued + [Reason(1, "what the compiler adds to a closure that may be isolated")]
        ) { times in
            let queue = FutureQueue(resource: 1)
            Scheduler.background.perform { for _ in 0..<times { queue.enqueue { Future($0) } } }
            precondition(queue.isEmpty)
        },
        Budget(
            "FutureQueue, 1 operation where attached",
            queued + [Reason(1, "what the compiler adds to a closure that may be isolated")]
        ) { times in
            let queue = FutureQueue()
            Scheduler.background.perform { for _ in 0..<times { queue.enqueue { Future(1) } } }
            precondition(queue.isEmpty)
        },
        Budget("FutureQueue.run, 1 operation", Array(queued.prefix(1))) { times in
            let queue = FutureQueue()
            for _ in 0..<times { queue.run(on: .immediate) { 1 } }
            precondition(queue.isEmpty)
        },
        Budget(
            "KeyedFutureQueue, 1 operation",
            queued + [Reason(1, "the line of its key"), Reason(1, "its key, with the recipe")]
        ) { times in
            let queue = KeyedFutureQueue<Int>()
            for key in 0..<times { queue.enqueue(for: key, on: .immediate) { Future(1) } }
            precondition(queue.isEmpty)
        },
        Budget(
            "a permit of a semaphore",
            [
                Reason(1, "the future"), Reason(1, "the permit"),
                Reason(1, "the operation's future, which has no terms but its line"),
            ]
        ) { times in
            let semaphore = FutureSemaphore(count: 1)
            for _ in 0..<times { semaphore.acquire().success?.release() }
        },
    ]

    private static let queued = [
        Reason(1, "the operation's future, which is its place in the line and its recipe too"),
        Reason(1, "the future that the operation makes"),
    ]

    private static func countDown(from start: Int) -> Future<Int> {
        Future(start).flatMap(on: .immediate) { $0 == 0 ? Future(0) : countDown(from: $0 - 1) }
    }
}

extension Budget {
    /// Operations that go from thread to thread.
    static let hopping = [
        Budget("1 block on a serial queue", [Reason(2, "the futures"), Reason(1, "what Dispatch queues a block by")]) {
            blocks(1, times: $0)
        },
        Budget(
            "2 blocks on a serial queue",
            [
                Reason(3, "the futures"), Reason(1, "the hop"),
                Reason(1, "another hop, if a block is over before the next one is attached"),
            ]
        ) { blocks(2, times: $0) },
        Budget(
            "3 blocks on a serial queue",
            [Reason(4, "the futures"), Reason(1, "the hop"), Reason(2, "another hop, as above, twice as often")]
        ) { blocks(3, times: $0) },
        Budget(
            "a hop between two schedulers of the library", [Reason(1, "the node, which is the job as well")]
        ) { hops($0) },
    ]

    private static func blocks(_ count: Int, times: Int) {
        let scheduler = Scheduler(queue: DispatchQueue(label: "blocks"))
        let done = DispatchSemaphore(value: 0)
        for time in 0..<times {
            var last = Future(time)
            for _ in 1..<count { last = last.map(on: scheduler) { $0 &+ 1 } }
            last.onValue(on: scheduler) { _ in done.signal() }
            done.wait()
        }
    }

    private static func hops(_ count: Int) {
        let (a, b) = (Scheduler(label: "a"), Scheduler(label: "b"))
        let done = DispatchSemaphore(value: 0)
        let promise = Promise<Int>()
        escape(promise)
        var last = promise.future
        for number in 0..<count { last = last.map(on: number % 2 == 0 ? a : b) { $0 &+ 1 } }
        last.onResult(on: .immediate) { _ in done.signal() }
        promise.succeed(0)
        done.wait()
    }
}
