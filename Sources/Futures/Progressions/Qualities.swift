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
    public static let userInitiated: Scheduler = {
        let queue = DispatchQueue(label: "futures.userInitiated", qos: .userInitiated, attributes: .concurrent)
        return Scheduler(backend: DispatchBackend(queue, isSerial: false), isImmortal: true)
    }()
}
