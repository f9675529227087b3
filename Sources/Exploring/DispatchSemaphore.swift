// DispatchSemaphore: replaces Dispatch's semaphores where interleavings are explored.

internal import Dispatch
internal import Synchronization

/// A semaphore with the interface of Dispatch's, which it hides in this module: while a thread waits, the explorer
/// runs others.
final class DispatchSemaphore: Sendable {
    private let count: Atomic<Int>

    init(value: Int) { count = Atomic(value) }

    func signal() { count.add(1, ordering: .releasing) }

    func wait() { _ = wait(timeout: .distantFuture) }

    /// Waits. On a thread that is explored, no time passes meanwhile.
    func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        while true {
            let current = count.load(ordering: .relaxed)
            if current > 0 {
                if count.compareExchange(expected: current, desired: current - 1, ordering: .acquiring).exchanged {
                    return .success
                }
            } else if let explorer, explorer.runsThisThread {
                explorer.reach(.wait)
            } else if DispatchTime.now() >= timeout {
                return .timedOut
            } else {
                explorer?.runWhatWaits()
            }
        }
    }
}
