// ReleaseStorage: each thread's pointer to its list of deferred releases.

#if canImport(CFutures)
    internal import CFutures

    /// One pointer for each thread, in a C thread-local variable, which Swift cannot declare.
    enum ReleaseStorage {
        static var pointer: UnsafeMutableRawPointer? { cfutures_thread_releases() }

        /// Stores `pointer`, and calls `destroy` with it when the thread ends.
        static func keep(
            _ pointer: UnsafeMutableRawPointer, destroy: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
        ) {
            cfutures_set_thread_releases(pointer, destroy)
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

    /// One pointer for each thread, as the value of a pthread key.
    enum ReleaseStorage {
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key) { ReleaseStorage.destroy($0) }
            return key
        }()

        // Written before the key has its first value, always with the same function.
        private nonisolated(unsafe) static var destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

        private static func destroy(_ pointer: UnsafeMutableRawPointer?) { destructor?(pointer) }

        static var pointer: UnsafeMutableRawPointer? { pthread_getspecific(key) }

        /// Stores `pointer`, and calls `destroy` with it when the thread ends.
        static func keep(
            _ pointer: UnsafeMutableRawPointer, destroy: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
        ) {
            if destructor == nil { destructor = destroy }
            pthread_setspecific(key, pointer)
        }
    }
#endif
