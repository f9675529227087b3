// ThreadStorage: each thread's pointers to its state and to its deferred releases.

#if canImport(CFutures)
    internal import CFutures

    /// Two pointers for each thread, in C thread-local variables, which Swift cannot declare.
    enum ThreadStorage {
        typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void

        /// This thread's `DeferredReleases`; nil at first.
        static var releases: UnsafeMutableRawPointer? { cfutures_thread_releases() }
        /// This thread's `ThreadState`; nil at first.
        static var state: UnsafeMutableRawPointer? { cfutures_thread_state() }

        /// Stores `pointer` as `releases`, and calls `destroy` with it when the thread ends.
        static func keep(releases pointer: UnsafeMutableRawPointer, destroy: @escaping Destroy) {
            cfutures_set_thread_releases(pointer, destroy)
        }

        /// Stores `pointer` as `state`, and calls `destroy` with it when the thread ends.
        static func keep(state pointer: UnsafeMutableRawPointer, destroy: @escaping Destroy) {
            cfutures_set_thread_state(pointer, destroy)
        }
    }
#else
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Bionic)
        internal import Bionic
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// Two pointers for each thread, as the values of pthread keys.
    enum ThreadStorage {
        typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void

        /// This thread's `DeferredReleases`; nil at first.
        static var releases: UnsafeMutableRawPointer? { pthread_getspecific(releasesKey) }
        /// This thread's `ThreadState`; nil at first.
        static var state: UnsafeMutableRawPointer? { pthread_getspecific(stateKey) }

        private static let releasesKey: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key) { ThreadStorage.destroy($0, by: ThreadStorage.destroyReleases) }
            return key
        }()
        private static let stateKey: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key) { ThreadStorage.destroy($0, by: ThreadStorage.destroyState) }
            return key
        }()

        // Written before the keys have their first values, always with the same functions.
        private nonisolated(unsafe) static var destroyReleases: Destroy?
        private nonisolated(unsafe) static var destroyState: Destroy?

        private static func destroy(_ pointer: UnsafeMutableRawPointer?, by function: Destroy?) { function?(pointer) }

        /// Stores `pointer` as `releases`, and calls `destroy` with it when the thread ends.
        static func keep(releases pointer: UnsafeMutableRawPointer, destroy: @escaping Destroy) {
            if destroyReleases == nil { destroyReleases = destroy }
            pthread_setspecific(releasesKey, pointer)
        }

        /// Stores `pointer` as `state`, and calls `destroy` with it when the thread ends.
        static func keep(state pointer: UnsafeMutableRawPointer, destroy: @escaping Destroy) {
            if destroyState == nil { destroyState = destroy }
            pthread_setspecific(stateKey, pointer)
        }
    }
#endif
