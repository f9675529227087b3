// Locked: a value that only one thread at a time can reach.

// On Linux the thread sanitizer does not see `Synchronization.Mutex` and reports races that are none; it sees
// pthread's, which costs the same. Platforms without pthread keep the standard library's.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#else
    import Synchronization
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    /// A value behind a mutex; for state that is not the core's own atomic word.
    ///
    /// No user code may run inside `withLock`: take out what is to be called or released, and do it after.
    // Safe to share: `value` is touched under `mutex` only. Held by the thread-sanitizer run of every suite.
    package final class Locked<Value>: @unchecked Sendable {
        // The mutex keeps accesses apart: checking that too took a quarter of the time of a queue's operation.
        @exclusivity(unchecked) private var mutex = pthread_mutex_t()
        @exclusivity(unchecked) private var value: Value

        package init(_ value: Value) {
            self.value = value
            pthread_mutex_init(&mutex, nil)
        }

        deinit { pthread_mutex_destroy(&mutex) }

        package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
            pthread_mutex_lock(&mutex)
            defer { pthread_mutex_unlock(&mutex) }
            return try body(&value)
        }
    }

#else

    /// A value behind a mutex; for state that is not the core's own atomic word.
    // Safe to share: `value` is touched under `mutex` only.
    package final class Locked<Value>: @unchecked Sendable {
        private let mutex = Mutex<Void>(())
        private var value: Value

        package init(_ value: Value) { self.value = value }

        package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
            try mutex.withLock { _ in try body(&value) }
        }
    }

#endif
