// Clock: processor time and wall-clock time.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A clock to measure with.
enum Clock: Sendable {
    /// The processor time of the calling thread: for work that stays on its thread. Other activity of the machine does
    /// not count.
    case thread
    /// The processor time of all threads of the process together: for work on several threads.
    case process
    /// Wall-clock time: for work that waits for threads to wake up.
    case wall

    /// Returns the nanoseconds since an arbitrary instant. On other platforms all clocks are wall clocks.
    func now() -> Double {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            var time = timespec()
            clock_gettime(id, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        #else
            return (Self.start.duration(to: .now)) / .nanoseconds(1)
        #endif
    }

    /// Sleeps for a millisecond, where the platform supports it.
    static func pause() {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            usleep(1000)
        #endif
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        private var id: clockid_t {
            switch self {
            case .thread: CLOCK_THREAD_CPUTIME_ID
            case .process: CLOCK_PROCESS_CPUTIME_ID
            case .wall: CLOCK_MONOTONIC
            }
        }
    #endif

    #if !(canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android))
        private static let start = ContinuousClock.now
    #endif
}
