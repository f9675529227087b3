// Nesting: code in nested callbacks.

import Dispatch
import Foundation
import Synchronization

@testable import Futures

/// Nesting depths of callbacks: about the limit (Contract/Schedulers.md), and far beyond it.
let nestings = [1, 15, 16, 17, 40]

/// Calls `body` in the innermost of `depth` nested callbacks, on this thread.
@Sendable func nest(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
    guard depth > 0 else { return body() }
    Future(depth).onValue(on: .immediate) { _ in nest(depth - 1, body) }
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
    var isHeard: Bool { node.word.load(ordering: .acquiring) != Word.pending }

    func waitForListener() {
        while !isHeard { sched_yield() }
    }
}
