// Locked: a value that is protected by a mutex.

// For the thread sanitizer, which on Linux knows pthread's mutex and not `Synchronization.Mutex`; both are as fast.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value protected by a mutex, for state outside of the core's own atomic word.
///
/// No user code may run inside `withLock`: take out what has to be called or released, and do that afterwards. A result
/// that is discarded may be released inside: extend its lifetime.
///
/// `Value` must not be a closure, but may be a struct of closures: each access wraps a closure that is a generic value
/// once more, so that thousands of accesses overflow the stack.
// Safe to share: `value` is accessed only under `mutex`. Tested by the thread-sanitizer run of every suite.
package final class Locked<Value>: @unchecked Sendable {
    // The mutex prevents overlapping accesses. Checking for them took a quarter of the time of a queue's operation.
    @exclusivity(unchecked) private var mutex = pthread_mutex_t()
    @exclusivity(unchecked) private var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(&mutex, nil)
    }

    deinit { pthread_mutex_destroy(&mutex) }

    package func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        #if EXPLORING
            lockInExploration()
            defer { reachExplorationPoint(.unlock(address)) }
        #else
            pthread_mutex_lock(&mutex)
        #endif
        defer { pthread_mutex_unlock(&mutex) }
        return try body(&value)
    }

    #if EXPLORING
        private var address: UnsafeRawPointer {
            UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(self)))!
        }

        /// A thread that waits for the lock lets the explorer choose another one.
        private func lockInExploration() {
            reachExplorationPoint(.lock(address))
            while pthread_mutex_trylock(&mutex) != 0 {
                guard explorer?.runsThisThread == true else { return _ = pthread_mutex_lock(&mutex) }
                reachExplorationPoint(.wait)
            }
        }
    #endif
}

/// Gives up the processor to another thread, in a lock that spins.
func yieldThread() {
    sched_yield()
}
