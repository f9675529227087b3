// Schedulers by quality of service: where Deferreds and progressions run.

internal import Dispatch

extension Scheduler {
    /// A concurrent queue for work that takes its time: where a ``Deferred`` runs by default. The same as
    /// ``concurrentBackground``.
    public static var utility: Scheduler { concurrentBackground }

    /// A concurrent queue for work that somebody has asked for and waits for.
    public static let userInitiated = quality(.userInitiated, "userInitiated")

    /// A concurrent queue for work that must not be felt.
    public static let userInteractive = quality(.userInteractive, "userInteractive")

    private static func quality(_ qos: DispatchQoS, _ name: String) -> Scheduler {
        let queue = DispatchQueue(label: "futures.\(name)", qos: qos, attributes: .concurrent)
        return Scheduler(backend: DispatchBackend(queue, isSerial: false), isImmortal: true)
    }
}
