// Progression rows: work in stages, which must not accumulate memory.

import Dispatch
import Futures

/// Progressions whose stages describe the next one with a `Deferred`. They must not accumulate memory.
let progressionRows = [1000, 10_000, 100_000, 1_000_000].map(stagesRow) + [backgroundRow]

/// Returns a row of stages that run on the calling thread.
private func stagesRow(_ count: Int) -> Row {
    Row(
        name: "progression of \(count.short) stages", operations: count, isOnePass: count >= 100_000,
        isLong: count > 100_000, series: "progressions",
        contestants: [
            Contestant(.futures) { passes in
                for _ in 0..<passes { precondition(Walk(left: count).run(on: .immediate).isCompleted) }
            },
            loop(count),
        ])
}

/// Stages that run in the background, which is the default. The caller waits for the result.
private let backgroundRow = Row(
    name: "progression of 100 k stages in the background", operations: 100_000, isOnePass: true,
    contestants: [
        Contestant(.futures, clock: .wall) { _ in
            let done = DispatchSemaphore(value: 0)
            Walk(left: 100_000).run().onValue(on: .immediate) { _ in done.signal() }
            done.wait()
        },
        Contestant(.dispatch, clock: .wall) { _ in
            let queue = DispatchQueue(label: "stages", attributes: .concurrent)
            let done = DispatchSemaphore(value: 0)
            walk(100_000, on: queue, done)
            done.wait()
        },
    ])

/// Returns the hand-written equivalent: a loop in a task, which cannot store, observe or veto stages.
private func loop(_ count: Int) -> Contestant {
    Contestant(.concurrency) { passes in
        inTask {
            for _ in 0..<passes {
                var left = count
                while left > 0 { left = await next(left) }
            }
        }
    }
}

private struct Walk: Progression {
    var left: Int
    func next() -> Deferred<Walk> {
        Deferred {
            Held.look(at: left)
            return Walk(left: left - 1)
        }
    }
    var result: Int? { left == 0 ? 0 : nil }
}

@inline(never)
private func next(_ left: Int) async -> Int {
    Held.look(at: left)
    return left - 1
}

/// Enqueues one block for each stage. Each block enqueues the next one.
@Sendable private func walk(_ left: Int, on queue: DispatchQueue, _ done: DispatchSemaphore) {
    guard left > 0 else {
        done.signal()
        return
    }
    queue.async {
        Held.look(at: left)
        walk(left - 1, on: queue, done)
    }
}
