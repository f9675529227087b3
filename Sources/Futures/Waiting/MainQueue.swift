// MainQueue: runs the main queue's work from top-level code, so that a command-line program needs no run loop.

internal import Dispatch

#if os(Linux)
    internal import CFutures

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif
#elseif canImport(Darwin)
    internal import CoreFoundation
    internal import Darwin
#endif

/// Runs the main queue's work on the main thread while that waits.
enum MainQueue {
    /// Whether the calling code may run the main queue's work: it is on the main thread, and not in a main-queue block.
    static var canBeServed: Bool {
        guard isMainThread, Scheduler.main.backend.isCurrent else { return false }
        // The queue's key is also set in top-level code, so it cannot tell. But in a main-queue block, `serve` runs
        // nothing.
        let ran = Locked(false)
        DispatchQueue.main.async { ran.withLock { $0 = true } }
        serve(for: .zero)
        return ran.withLock { $0 }
    }

    // `serve` waits up to `duration` for work, and runs what is available: on the main scheduler, wherever the wait is.

    #if os(Linux)
        private static var isMainThread: Bool { cfutures_is_main_thread() }

        static func serve(for duration: Duration) {
            let handle = _dispatch_get_main_queue_handle_4CF()
            var descriptor = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, duration.milliseconds) > 0 {
                var count: UInt64 = 0
                _ = read(handle, &count, MemoryLayout.size(ofValue: count))
            }
            ThreadState.here.execute(on: .main, runningJobs: true) { _dispatch_main_queue_callback_4CF(nil) }
        }
    #elseif canImport(Darwin)
        private static var isMainThread: Bool { pthread_main_np() != 0 }

        static func serve(for duration: Duration) {
            ThreadState.here.execute(on: .main, runningJobs: true) {
                _ = CFRunLoopRunInMode(.defaultMode, Double(duration.milliseconds) / 1000, true)
            }
        }
    #else
        // There is no function that runs the main queue's work here: the main thread waits like any other.
        private static var isMainThread: Bool { false }

        static func serve(for duration: Duration) {}
    #endif
}

extension Duration {
    /// The duration in milliseconds, rounded up so that waiting for it is long enough; at most a day.
    fileprivate var milliseconds: Int32 {
        Int32((min(asDelay, .seconds(86_400)) / .milliseconds(1)).rounded(.up))
    }
}
