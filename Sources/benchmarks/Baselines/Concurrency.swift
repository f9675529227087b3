// Concurrency: helpers for the rows of Swift's own tasks, actors and async functions.

import Dispatch

/// Runs `body` in a task, and blocks the calling thread until it has returned.
func inTask(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await body()
        done.signal()
    }
    done.wait()
}

/// An actor to hop to.
actor Place {
    private(set) var visits = 0

    func visit() { visits += 1 }
}
