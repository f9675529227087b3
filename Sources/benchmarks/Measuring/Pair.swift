// Pair: runs the same work on two threads at the same time.

import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Runs the same work on two threads at the same time: the calling thread and one of a queue.
final class Pair: Sendable {
    private let other = DispatchQueue(label: "other")
    private let arrivals = Atomic<Int>(0)

    /// Calls `work` on both threads, and returns when both calls have returned.
    func run(_ work: @escaping @Sendable () -> Void) {
        arrivals.store(0, ordering: .relaxed)
        let done = DispatchSemaphore(value: 0)
        other.async { [self] in
            meet()
            work()
            done.signal()
        }
        meet()
        work()
        done.wait()
    }

    // Spins instead of blocking: otherwise one thread could finish before the other has woken up.
    private func meet() {
        arrivals.add(1, ordering: .acquiringAndReleasing)
        while arrivals.load(ordering: .acquiring) < 2 { letOthersRun() }
    }

    private func letOthersRun() {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            sched_yield()
        #endif
    }
}
