// Concurrent schedulers by quality of service, among them the default one of Deferreds and progressions.

internal import Dispatch

extension Scheduler {
    /// A concurrent scheduler with the quality of service `utility`, for long-running work; the default of ``Deferred``
    /// and ``Progression``.
    ///
    /// It is ``background``.
    public static var utility: Scheduler { background }

    /// A concurrent scheduler with the quality of service `userInitiated`, for work that the user has asked for and
    /// waits for.
    public static let userInitiated = quality(.userInitiated, "userInitiated")

    /// A concurrent scheduler with the quality of service `userInteractive`, for work that must complete without a
    /// noticeable delay.
    public static let userInteractive = quality(.userInteractive, "userInteractive")

    private static func quality(_ qos: DispatchQoS, _ name: String) -> Scheduler {
        let queue = DispatchQueue(label: "futures.\(name)", qos: qos, attributes: .concurrent)
        return Scheduler(backend: DispatchBackend(queue, isSerial: false), isImmortal: true)
    }
}
