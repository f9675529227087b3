// ThreadStorage: each thread's pointers to its state and to its deferred releases.

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
