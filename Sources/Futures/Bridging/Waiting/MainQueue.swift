// MainQueue: serving the main queue from top-level code, so that a command-line program needs no run loop.

internal import Dispatch

#if os(Linux) && canImport(CFutures)
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
    /// Whether the calling code may serve the main queue: it is on the main thread, and not in a main-queue block.
    static var canBeServed: Bool {
        guard isMainThread, Scheduler.main.backend.isCurrent else { return false }
        // The key cannot tell top-level code from a main-queue block. But in a block, serving runs nothing.
        let probe = Probe()
        DispatchQueue.main.async { probe.ran = true }
        serve(for: .zero)
        return probe.ran
    }

    // Safe to share: the main thread alone touches it.
    private final class Probe: @unchecked Sendable {
        var ran = false
    }

    /// Makes `serve` return soon, from any thread.
    static func wake() {
        DispatchQueue.main.async {}
    }

    #if os(Linux) && canImport(CFutures)
        private static var isMainThread: Bool { cfutures_is_main_thread() }

        /// Waits for work at most `duration`, and runs what there is.
        static func serve(for duration: Duration) {
            let handle = _dispatch_get_main_queue_handle_4CF()
            var descriptor = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, duration.milliseconds) > 0 {
                var count: UInt64 = 0
                _ = read(handle, &count, MemoryLayout.size(ofValue: count))
            }
            _dispatch_main_queue_callback_4CF(nil)
        }
    #elseif canImport(Darwin)
        private static var isMainThread: Bool { pthread_main_np() != 0 }

        /// Waits for work at most `duration`, and runs what there is.
        static func serve(for duration: Duration) {
            CFRunLoopRunInMode(.defaultMode, Double(duration.milliseconds) / 1000, true)
        }
    #else
        // Without an entry point, the main thread waits like any other.
        private static var isMainThread: Bool { false }

        static func serve(for duration: Duration) {}
    #endif
}

extension Duration {
    /// Rounded up, so that waiting so long is long enough; at most a day.
    fileprivate var milliseconds: Int32 {
        guard self > .zero else { return 0 }
        guard self < .seconds(86_400) else { return 86_400_000 }
        let (seconds, attoseconds) = components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
