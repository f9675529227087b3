// Queues of the library's own: they get a thread where users block all those of the global queues.

package import Dispatch

// A serial queue without a target gets a thread even if all of the global queues' threads are blocked.
extension DispatchQueue {
    /// Makes a serial queue of the library's own.
    package static func apart(_ label: String) -> DispatchQueue {
        #if canImport(Darwin)
            // Blocks inherit the quality of what enqueues them, where their queue has none.
            let qos = DispatchQoS.default
        #else
            // Each quality has 255 threads for serial queues of its own; those of this one are used the least.
            let qos = DispatchQoS.userInteractive
        #endif
        return DispatchQueue(label: label, qos: qos)
    }

}
