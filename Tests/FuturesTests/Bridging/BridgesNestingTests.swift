// Internal steps of bridges, which call no user code, where callbacks are nested too deeply. Contract/Order.md

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct BridgesNestingTests {
    @Test(arguments: bridges, [0] + nestings)
    func `a step of the library's own does not wait for a callback, at any nesting depth`(
        _ bridge: Bridge, depth: Int
    ) async {
        let (isHeard, gate) = (Shared(false), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let act = bridge.prepare { isHeard.value = true }
            nest(depth) {
                let kept = act()
                withExtendedLifetime(kept) { gate.wait() }
            }
        }
        // Does not block: most bridges have a task, which needs a thread of the pool.
        #expect(await comesTrue { isHeard.value })
        gate.signal()
    }
}

/// An action of a callback that then blocks until another thread is notified.
struct Bridge: Sendable, CustomTestStringConvertible {
    typealias Hear = @Sendable () -> Void
    /// Returns an object to retain until then.
    typealias Act = @Sendable () -> any Sendable

    let testDescription: String
    /// Called outside of callbacks.
    let prepare: @Sendable (_ hears: @escaping Hear) -> Act

    init(_ description: String, _ prepare: @escaping @Sendable (_ hears: @escaping Hear) -> Act) {
        testDescription = description
        self.prepare = prepare
    }
}

private let bridges = started + [next] + cancelled + deferreds

private let other = Scheduler(label: "other")

/// An asynchronous operation with a cleanup starts, in each kind of queue.
private let started: [Bridge] = [
    starting("run") { hears in
        FutureQueue().run {
            hears()
        } finally: { _, _ in
        }
    },
    starting("run on a scheduler in place") { hears in
        FutureQueue().on(.immediate).run {
            hears()
        } finally: { _, _ in
        }
    },
    starting("run on a scheduler in place, without a cleanup") { hears in
        FutureQueue().on(.immediate).run { () async in hears() }
    },
    starting("runBatch") { hears in
        FutureQueue().batch.run { _ in
            hears()
        } finally: { _, _ in
        }
    },
    starting("run for a key") { hears in
        KeyedFutureQueue<Int>()[1].run {
            hears()
        } finally: { _, _ in
        }
    },
    starting("run in a pool") { hears in
        ResourcePool(maxCount: 1, callTimeout: testTimeout, on: other) { Future(1) }.run { _ in
            hears()
        } finally: { _, _ in
        }
    },
    starting("run in a semaphore") { hears in
        FutureSemaphore(count: 1).run {
            hears()
        } finally: { _, _ in
        }
    },
    starting("run in a mutex") { hears in
        FutureMutex().run {
            hears()
        } finally: { _, _ in
        }
    },
    starting("reading.run") { hears in
        FutureReadWriteLock().reading.run {
            hears()
        } finally: { _, _ in
        }
    },
]

private func starting(
    _ name: String, _ start: @escaping @Sendable (_ hears: @escaping Bridge.Hear) -> Future<Void>
) -> Bridge {
    Bridge("\(name) starts its operation") { hears in { start(hears) } }
}

private let next = Bridge("a permit that is released is passed on to an operation with a cleanup") { hears in
    let mutex = FutureMutex()
    let permit = mutex.acquire().success
    let future = mutex.run(hears) { _, _ in }
    return {
        permit?.release()
        return future
    }
}

private let cancelled: [Bridge] = [
    Bridge("a cancel reaches the task of an operation with a cleanup") { hears in
        let began = DispatchSemaphore(value: 0)
        let future = FutureQueue().run {
            began.signal()
            await untilCancelled(hears)
        } finally: { _, _ in
        }
        began.wait()
        return { future.cancel() }
    }
]

private let deferreds: [Bridge] = [
    Bridge("the deferred of a group's future starts") { hears in
        {
            let group = DispatchGroup()
            group.enter()
            let future = Deferred(repeating: group.future()).start().map(on: other, hears)
            group.leave()
            return future
        }
    },
    Bridge("the deferred of a signal's future starts") { hears in
        // A signal without an effect, unless the process watches it.
        let first = ProcessSignal(SIGWINCH).future()
        return {
            let future = Deferred(repeating: first).start().map(on: other) { _ in hears() }
            kill(getpid(), SIGWINCH)
            return future
        }
    },
    Bridge("another scheduler is notified of a progression whose queue is cleared") { hears in
        let line = FutureQueue()
        let future = line.on(.immediate).enqueue { Endless().run(on: .immediate) }.onResult(on: other) { _ in hears() }
        return {
            line.cancelAll()
            return future
        }
    },
]

private struct Endless: Progression {
    var result: Int? { nil }

    func next() -> Deferred<Endless> { Deferred(repeating: .never) }
}

/// Suspends the task until it is cancelled, and then calls `hears`.
func untilCancelled(_ hears: @escaping @Sendable () -> Void) async {
    await withTaskCancellationHandler {
        _ = try? await Future<Void>.never.value
    } onCancel: {
        hears()
    }
}
