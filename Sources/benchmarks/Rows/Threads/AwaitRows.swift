// Await rows: tasks that await a future.

import Futures

/// Tasks that await a future.
let awaitRows = [
    Row(
        name: "await, completed",
        contestants: [
            Contestant(.futures, clock: .process) { passes in
                let future = Future(1)
                inTask { for _ in 0..<passes { sink = (try? await future.value) ?? 0 } }
            },
            Contestant(.concurrency) { passes in
                inTask {
                    let task = Task { 1 }
                    for _ in 0..<passes { sink = await task.value }
                }
            },
        ]),
    Row(
        name: "await, pending", operations: turns,
        contestants: [
            .preparing(.futures, clock: .process) { passes in
                let promises = (0..<passes * turns).map { _ in Promise<Int>() }
                return { inTask { await awaitAndComplete(promises) } }
            },
            // A bare continuation with a cancellation handler, because awaiting a future can be cancelled, too.
            .preparing(.concurrency) { passes in
                { inTask { await suspendAndResume(passes * turns) } }
            },
        ]),
]

// Many per pass: the first ones run on a thread that has to be woken.
private let turns = 20_000

/// The actor of two tasks that run in turns: one awaits the futures that the other one completes.
@globalActor private actor Turns {
    static let shared = Turns()
}

@Turns private func awaitAndComplete(_ promises: [Promise<Int>]) async {
    let awaiting = Task { @Turns in
        for promise in promises { sink = (try? await promise.future.value) ?? 0 }
    }
    for promise in promises {
        await Task.yield()
        promise.succeed(1)
    }
    await awaiting.value
}

@Turns private func suspendAndResume(_ count: Int) async {
    let awaiting = Task { @Turns in
        for _ in 0..<count {
            sink = await withTaskCancellationHandler {
                await withUnsafeContinuation { suspended = $0 }
            } onCancel: {
            }
        }
    }
    for _ in 0..<count {
        while suspended == nil { await Task.yield() }
        suspended.take()?.resume(returning: 1)
    }
    await awaiting.value
}

@Turns private var suspended: UnsafeContinuation<Int, Never>?
