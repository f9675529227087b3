// CancellableTask: cancels a session's task where that is safe.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cancels a task at most once, and never while it ends or is redirected.
///
/// On Linux, FoundationNetworking (Swift 6.3) traps otherwise. A task that ends by itself while another thread cancels
/// it: "Trying to access a behaviour for a task that in not in the registry". A redirect that is answered after a
/// cancel: "Received callback for HTTP redirection, but we're not waiting for it". So the end of the task waits for a
/// cancel in progress, and a redirect is answered unless the task was cancelled.
final class CancellableTask: Sendable {
    private enum Phase { case running, cancelled, ended }

    // Only Foundation is called under the lock.
    private let phase = Locked(Phase.running)

    /// Cancels `task`, unless it was cancelled or has ended.
    func cancel(_ task: URLSessionTask) { cancel(by: task.cancel) }

    /// Calls `body`, which cancels the task, unless that was cancelled or has ended.
    func cancel(by body: () -> Void) {
        phase.withLock { phase in
            guard case .running = phase else { return }
            phase = .cancelled
            body()
        }
    }

    /// Waits for a cancel in progress. No other one comes.
    func end() { phase.withLock { $0 = .ended } }

    /// Answers a redirect of the task: with `request`, unless the task was cancelled. A cancel that comes meanwhile waits.
    func answer(_ request: URLRequest?, by answer: (URLRequest?) -> Void) {
        phase.withLock { phase in
            if case .running = phase { return answer(request) }
            #if !canImport(FoundationNetworking)
                answer(nil)
            #endif
        }
    }
}
