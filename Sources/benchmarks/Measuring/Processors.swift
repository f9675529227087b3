// Processors: has the threads of the process share one.

import CAllocations

/// The processors that the threads of the process run on.
enum Processors {
    /// Calls `work` while all threads of the process share a processor, if `isRestricted` is true and the platform
    /// supports it. Threads that `work` starts share it, too.
    ///
    /// This makes workloads that wake threads comparable. With several processors, the system decides at each wake-up
    /// whether both threads share one. It takes 2 to 3 microseconds if they do and 10 to 40 if they do not, and the
    /// decision differs between contestants that make the same system calls.
    static func sharing<T>(if isRestricted: Bool, _ work: () -> T) -> T {
        guard isRestricted, processor_share() else { return work() }
        defer { processor_share_no_more() }
        return work()
    }
}
