// Recording: whether nodes note where and when they were made.

#if canImport(CFutures)
    internal import CFutures
#else
    internal import Synchronization
#endif

/// The switch behind `Diagnostics`. While it is off, a node costs one load and one comparison when it is attached, when it
/// starts, and when it is deallocated.
package enum Recording {
    /// Whether nodes are recorded when they are made.
    @inline(__always)
    package static var isOn: Bool {
        #if canImport(CFutures)
            cfutures_is_recording()
        #else
            flag.load(ordering: .relaxed)
        #endif
    }

    #if !canImport(CFutures)
        private static let flag = Atomic<Bool>(false)
    #endif

    package static func set(_ isOn: Bool) {
        #if canImport(CFutures)
            cfutures_set_recording(isOn)
        #else
            flag.store(isOn, ordering: .relaxed)
        #endif
    }
}

/// What else starts when the first node of the process is recorded: a conformance of `Recording` in another module.
package protocol StartsWithRecording {
    static func start()
}

extension Recording {
    /// Starts that once.
    static let started: Void = { (Recording.self as Any as? any StartsWithRecording.Type)?.start() }()
}
