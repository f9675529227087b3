// Nesting: code in callbacks in callbacks.

import Dispatch
import Foundation
import Synchronization

@testable import Futures

/// As many callbacks as a test nests: about the limit (Contract/Order.md), and far beyond it.
let nestings = [1, 15, 16, 17, 40]

/// Calls `body` in a callback that `depth - 1` others have led to, on this thread.
@Sendable func nest(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
    guard depth > 0 else { return body() }
    Future(depth).onValue(on: .immediate) { _ in nest(depth - 1, body) }
}

/// A signal from one thread to another.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    /// Blocks this thread until the signal comes; false if it does not.
    func comes() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
}

extension Future {
    /// Whether somebody listens, or it has completed.
    var isHeard: Bool { node.word.load(ordering: .acquiring) != Word.pending }

    func waitForListener() {
        while !isHeard { sched_yield() }
    }
}
