// Timeout rows: time limits that are armed and cancelled, and many that are pending.

import Dispatch
import Futures

/// Time limits that do not pass.
///
/// A limit is usually cancelled: the result comes first. Each pass arms a limit of a minute on a promise, adds a
/// listener and completes the promise.
let timeoutRows = [armedRow] + [100_000, 1_000_000].map(pendingRow)

private let armedRow = Row(
    name: "timeout, armed and cancelled",
    contestants: [
        Contestant(.futures, clock: .process) { passes in
            for pass in 0..<passes {
                let promise = Promise<Int>()
                escape(promise)
                listen(to: promise)
                promise.succeed(pass)
            }
        },
        Contestant(.dispatch) { passes in
            let queue = DispatchQueue(label: "timeouts")
            for pass in 0..<passes {
                limitedCallback(on: queue).complete(.success(pass))
            }
        },
        Contestant(.concurrency) { passes in
            inTask {
                for pass in 0..<passes { sink = await limited(pass) }
            }
        },
    ])

/// Returns a row in which `count` limits are pending at the same time. Their memory is sampled before the promises are
/// completed.
private func pendingRow(_ count: Int) -> Row {
    Row(
        name: "\(count.short) pending timeouts", operations: count, isOnePass: true, isLong: count > 100_000,
        series: "pending timeouts",
        contestants: [
            Contestant(.futures, clock: .process) { _ in
                let promises = (0..<count).map { _ in Promise<Int>() }
                for promise in promises { listen(to: promise) }
                Held.look()
                for (index, promise) in promises.enumerated() { promise.succeed(index) }
            },
            Contestant(.dispatch) { _ in
                let queue = DispatchQueue(label: "timeouts")
                let callbacks = (0..<count).map { _ in limitedCallback(on: queue) }
                Held.look()
                for (index, callback) in callbacks.enumerated() { callback.complete(.success(index)) }
            },
        ])
}

private let minute = Duration.seconds(60)

private func listen(to promise: Promise<Int>) {
    promise.future.timeout(after: minute, on: .background).onValue(on: .immediate) { sink = $0 }
}

/// Returns a callback with a time limit: by hand, with a timer source for each.
@inline(never)
private func limitedCallback(on queue: DispatchQueue) -> Callback {
    let callback = Callback()
    // Dispatch's sources may be used from any thread, but are not marked as Sendable.
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { callback.complete(.failure(TimedOut())) }
    timer.schedule(deadline: .now() + 60)
    callback.onResult { result in
        timer.cancel()
        if case .success(let value) = result { sink = value }
    }
    timer.activate()
    return callback
}

private struct TimedOut: Error {}

/// Returns the value, by a task that races with a task that sleeps.
private func limited(_ value: Int) async -> Int {
    await withTaskGroup(of: Int?.self) { group in
        group.addTask { value }
        group.addTask {
            try? await Task.sleep(for: minute)
            return nil
        }
        defer { group.cancelAll() }
        while let result = await group.next() {
            if let result { return result }
        }
        return 0
    }
}
