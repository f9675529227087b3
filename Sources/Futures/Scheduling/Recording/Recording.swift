// Recording: what nodes do besides, for diagnosing and for code that carries task-local values.

#if canImport(CFutures)
    internal import CFutures
#else
    internal import Synchronization
#endif

/// The switches behind `Diagnostics` and `propagating`. While both are off, a node costs one load and one comparison when
/// it is attached, when it starts, when its job runs, and when it is deallocated.
package enum Recording {
    /// Whether nodes are recorded when they are made.
    @inline(__always)
    package static var isOn: Bool {
        #if canImport(CFutures)
            cfutures_is_recording()
        #else
            extras.load(ordering: .relaxed) & 1 != 0
        #endif
    }

    /// Whether any code of the process has carried task-local values. It does not become false again.
    @inline(__always)
    static var isCarrying: Bool {
        #if canImport(CFutures)
            cfutures_is_carrying()
        #else
            extras.load(ordering: .relaxed) & 2 != 0
        #endif
    }

    /// Whether one of them is true.
    @inline(__always)
    static var hasExtras: Bool {
        #if canImport(CFutures)
            cfutures_has_extras()
        #else
            extras.load(ordering: .relaxed) != 0
        #endif
    }

    #if !canImport(CFutures)
        private static let extras = Atomic<Int>(0)
    #endif

    package static func set(_ isOn: Bool) {
        #if canImport(CFutures)
            cfutures_set_recording(isOn)
        #else
            if isOn { extras.bitwiseOr(1, ordering: .relaxed) } else { extras.bitwiseAnd(~1, ordering: .relaxed) }
        #endif
    }

    static func startCarrying() {
        #if canImport(CFutures)
            cfutures_start_carrying()
        #else
            extras.bitwiseOr(2, ordering: .relaxed)
        #endif
    }
}
