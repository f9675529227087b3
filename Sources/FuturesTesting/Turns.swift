// Turns: exclusive use of a clock, granted to one thread at a time.

import Dispatch

/// The turns of the threads that run jobs or call `sync`, in first-in, first-out order.
///
/// A pure state machine: the caller waits for the semaphores and signals them.
struct Turns {
    private var isTaken = false
    private var waiting: [DispatchSemaphore] = []

    /// Takes the turn. If another thread has it, returns a semaphore that is signaled when the caller has the turn.
    mutating func take() -> DispatchSemaphore? {
        guard isTaken else {
            isTaken = true
            return nil
        }
        let semaphore = DispatchSemaphore(value: 0)
        waiting.append(semaphore)
        return semaphore
    }

    /// Passes the turn on. Returns the semaphore to signal if another thread waits.
    mutating func pass() -> DispatchSemaphore? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        isTaken = false
        return nil
    }
}
