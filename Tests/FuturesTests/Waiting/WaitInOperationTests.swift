// Waits in operations of queues for what needs their turn. Contract/Waiting.md

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct WaitInOperationTests {
    private typealias Body = @Sendable () throws -> Future<Int>
    private typealias Enqueue = @Sendable (@escaping Body) -> Future<Int>

    private static let place = Scheduler.background

    private static func by<Queue: Sendable>(
        _ queue: Queue, _ enqueue: @escaping @Sendable (Queue, @escaping Body) -> Future<Int>
    ) -> Enqueue { { enqueue(queue, $0) } }

    /// A queue, lock or pool of some kind, which runs one operation at a time.
    private static let kinds: KeyValuePairs<String, @Sendable () -> Enqueue> = [
        "queue": { by(FutureQueue()) { $0.on(place).enqueue($1) } },
        "writer": { by(FutureReadWriteLock()) { $0.writing.on(place).enqueue($1) } },
        "pool": {
            by(ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) }) { pool, body in
                pool.on(place).enqueue { _ in try body() }
            }
        },
        "batch": {
            by(FutureQueue()) { queue, body in queue.on(place).enqueueBatch { $0.on(place).enqueue(body) } }
        },
    ]

    private func isDeadlock(_ error: (any Error)?) -> Bool {
        if case .deadlock? = error as? QueueError { true } else { false }
    }

    @Test func `a wait in an operation for one behind it throws, and the operation goes on`() throws {
        for (name, make) in Self.kinds {
            let enqueue = make()
            let behind = Shared<Future<Int>?>(nil)
            let outer = enqueue {
                behind.value = enqueue { Future(7) }
                do { return Future(try behind.value!.wait()) } catch {
                    #expect(isDeadlock(error), "\(name)")
                    return Future(1)
                }
            }
            #expect(try outer.wait(timeout: testTimeout) == 1, "\(name)")
            #expect(try behind.value!.wait(timeout: testTimeout) == 7, "\(name)")
        }
    }

    @Test func `the error of such a wait names both operations`() {
        let queue = FutureQueue()
        let outer = queue.on(.immediate).enqueue {
            Future(try queue.on(.immediate).enqueue { Future(7) }.wait(timeout: testTimeout))
        }
        let line = UInt(#line) - 3
        guard case .deadlock(let running, let waiting)? = outer.error as? QueueError else {
            Issue.record("\(String(describing: outer.result))")
            return
        }
        #expect(running.line == line && waiting.line == line + 1)
    }

    @Test func `a wait in an operation for its queue to be empty throws`() {
        let queue = FutureQueue()
        let outer = queue.on(.immediate).enqueue { Future(try queue.drained().wait()) }
        #expect(isDeadlock(outer.error))
        let keyed = KeyedFutureQueue<Int>()
        let other = keyed[1].on(.immediate).enqueue { Future(try keyed.drained().wait()) }
        #expect(isDeadlock(other.error))
    }

    @Test func `a wait in the closure of a future that the operation waits for throws`() throws {
        for (name, make) in Self.kinds {
            for isStep in [false, true] {
                let enqueue = make()
                let outer = enqueue {
                    isStep
                        ? Future(1).map(on: Scheduler(label: "step")) { _ in try enqueue { Future(7) }.wait() }
                        : Future(on: .background, immediate: { try enqueue { Future(7) }.wait() })
                }
                #expect(throws: QueueError.self, "\(name)") { try outer.wait(timeout: testTimeout) }
                #expect(isDeadlock(outer.error))
            }
        }
    }

    @Test func `a wait that blocks ends the turns for which others wait`() async {
        let (first, second) = (FutureQueue(executeOn: Self.place), FutureQueue(executeOn: Self.place))
        let (other, promise) = (Scheduler(label: "other"), Promise<Int>())
        let running = first.enqueue { second.enqueue { promise.future } }
        let behind = first.run {
            try Future(on: other, immediate: { try second.run { 7 }.wait() }).wait(timeout: testTimeout)
        }
        #expect(await comesTrue { second.runningCount == 1 && first.waitingCount == 1 })
        // The rest follows in this job: the end of both turns, and the second operation, which starts in place.
        Self.place.async { promise.succeed(1) }
        #expect(await comesTrue { behind.isCompleted })
        #expect(behind.success == 7 && running.success == 1)
    }

    @Test func `a wait in an operation returns if what it waits for does not need the turn`() async throws {
        let (queue, other) = (FutureQueue(), FutureQueue())
        let concurrent = FutureQueue(maxConcurrentCount: 2)
        #expect(
            queue.on(.immediate).enqueue { Future(try other.on(.immediate).enqueue { Future(7) }.wait()) }.success
                == 7)
        #expect(
            concurrent.on(.immediate).enqueue {
                Future(try concurrent.on(.immediate).enqueue { Future(7) }.wait())
            }.success == 7)
        // Another operation that has a turn ends.
        let (first, started) = (Promise<Int>(), DispatchSemaphore(value: 0))
        concurrent.on(.immediate).enqueue { first.future }
        let second = concurrent.on(.background).enqueue {
            let behind = concurrent.on(.immediate).enqueue { Future(7) }
            started.signal()
            return Future(try behind.wait())
        }
        started.wait()
        first.succeed(1)
        #expect(try await second.arrival().get() == 7)
        // A time limit ends the wait.
        let limited = queue.on(.immediate).enqueue {
            Future(try queue.on(.background).enqueue(with: .waitTimeout(.milliseconds(1))) { Future(7) }.wait())
        }
        #expect(limited.error as? QueueError == .waitTimedOut(after: .milliseconds(1)))
    }
}
