// Concurrency: what Swift's own tasks, actors and async functions do.

import Dispatch

/// Does it in a task, and waits.
func inTask(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await body()
        done.signal()
    }
    done.wait()
}

/// Something to hop to.
actor Place {
    private(set) var visits = 0

    func visit() { visits += 1 }
}
