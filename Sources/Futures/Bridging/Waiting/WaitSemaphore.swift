// WaitSemaphore: what a thread waits for, for a time.

#if !canImport(Darwin) && !EXPLORING
    internal import CFutures

    /// A semaphore whose time limits do not depend on the clock of the day.
    ///
    /// Dispatch's do where the system has no other: there a clock that is set back prolongs them.
    package final class WaitSemaphore: Sendable {
        /// The functions below synchronize each other. It is destroyed when this object is released.
        nonisolated(unsafe) private let semaphore = cfutures_semaphore_create()

        package init() {}

        deinit { cfutures_semaphore_destroy(semaphore) }

        /// Lets one call of `wait` return, in progress or later.
        package func signal() { cfutures_semaphore_signal(semaphore) }

        /// Waits for a signal, or until the time has passed. Returns whether there was a signal.
        ///
        /// - Parameter duration: At most an hour.
        @discardableResult
        package func wait(for duration: Duration) -> Bool {
            cfutures_semaphore_wait(semaphore, Int64(duration / .nanoseconds(1)))
        }
    }
#else
    internal import Dispatch

    /// A semaphore whose time limits do not depend on the clock of the day, on Apple's platforms.
    package final class WaitSemaphore: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        package init() {}

        /// Lets one call of `wait` return, in progress or later.
        package func signal() { semaphore.signal() }

        /// Waits for a signal, or until the time has passed. Returns whether there was a signal.
        ///
        /// - Parameter duration: At most an hour.
        @discardableResult
        package func wait(for duration: Duration) -> Bool {
            // Dispatch cannot represent every duration that is longer than an hour.
            semaphore.wait(timeout: .now() + .nanoseconds(Int(duration / .nanoseconds(1)))) == .success
        }
    }
#endif
