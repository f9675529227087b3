// FaultSource: the faults that tests inject at named points.

/// What a test injects at a fault point. A cancel is a failure with a `CancellationError`.
package enum InjectedFault: Sendable {
    case failure(any Error)
    case delay(Duration)
}

/// The faults that tests inject: in a simulation, in virtual time, or in the whole process.
package protocol FaultSource: AnyObject, Sendable {
    /// Returns the fault to inject at the point of this name, which was reached, and counts it as injected.
    func takeFault(at point: String) -> InjectedFault?
}

/// The faults of schedulers that are neither simulated nor virtual.
package enum ProcessFaults {
    private static let known = Locked<(any FaultSource)?>(nil)

    package static var source: (any FaultSource)? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
