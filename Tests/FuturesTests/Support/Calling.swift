// Calling: code in callbacks.

import Dispatch
import Futures

/// Calls `body` on this thread, in a callback or outside of all.
@Sendable func call(inCallback: Bool = true, _ body: @escaping @Sendable () -> Void) {
    if inCallback { Future(1).onValue(on: .immediate) { _ in body() } } else { body() }
}

/// A signal from one thread to another.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    /// Blocks this thread until the signal is sent; false if it is not sent in time.
    func comes() -> Bool { semaphore.wait(timeout: .testTimeout) == .success }
}

extension Future {
    /// Whether it has a listener, or has completed.
    var isHeard: Bool {
        let count = Mirror(reflecting: self).children.first { $0.label == "listenerCount" }?.value as? Int
        return isCompleted || count ?? 0 > 0
    }
}
