// Clock: the time that a thread has worked, or that has passed.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What is asked for the time.
enum Clock: Sendable {
    /// The time for which this thread had a processor: for work that stays on its thread. What else the machine does
    /// in the meantime does not count.
    case thread
    /// The time for which all threads of this process together had processors: for work of several threads.
    case process
    /// The time on the wall: for work that waits for threads to wake up.
    case wall

    /// Nanoseconds since some moment.
    func now() -> Double {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            var time = timespec()
            clock_gettime(id, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        #else
            return (Self.start.duration(to: .now)) / .nanoseconds(1)
        #endif
    }

    /// A thousandth of a second without work.
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
