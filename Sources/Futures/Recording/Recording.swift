// Recording: what nodes do besides, for diagnosing and for code that carries task-local values.

internal import CFutures

/// The switches behind `Diagnostics` and `propagating`. While both are off, a node costs one load and one comparison when
/// it is attached, when it starts, when its job runs, and when it is deallocated.
package enum Recording {
    @inline(__always)
    private static var recordingBit: Int32 { 1 }
    @inline(__always)
    private static var carryingBit: Int32 { 2 }

    /// Whether nodes are recorded when they are made.
    @inline(__always)
    package static var isOn: Bool { extras & recordingBit != 0 }

    /// Whether any code of the process has carried task-local values. It does not become false again.
    @inline(__always)
    static var isCarrying: Bool { extras & carryingBit != 0 }

    /// Whether one of them is true.
    @inline(__always)
    static var hasExtras: Bool { extras != 0 }

    package static func set(_ isOn: Bool) { cfutures_change_extras(recordingBit, isOn) }

    static func startCarrying() { if !isCarrying { cfutures_change_extras(carryingBit, true) } }

    @inline(__always)
    private static var extras: Int32 { cfutures_get_extras() }
}
