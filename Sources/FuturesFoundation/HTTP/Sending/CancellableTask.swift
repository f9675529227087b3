// CancellableTask: cancels a session's task where that is safe.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Starts a task unless it was cancelled before. Cancels it at most once, and never while it ends or is redirected.
///
/// On Linux, FoundationNetworking (Swift 6.3) traps otherwise. A task that ends by itself while another thread cancels
/// it: "Trying to access a behaviour for a task that in not in the registry". A redirect that is answered after a
/// cancel: "Received callback for HTTP redirection, but we're not waiting for it". So the end of the task waits for a
/// cancel in progress, and a redirect is answered unless the task was cancelled.
final class CancellableTask: Sendable {
    private enum Phase {
        /// Next is running or cancelled.
        case waiting
        /// Next is cancelled or ended, or waiting if the task is followed by another one.
        case running(URLSessionTask)
        /// Next is ended, if the task has started.
        case cancelled
        case ended
    }

    // Only Foundation is called under the lock.
    private let phase = Locked(Phase.waiting)

    /// Starts the task that `make` returns. Returns false, and calls nothing, if it was cancelled.
    func start(_ make: () -> URLSessionTask) -> Bool {
        phase.withLock { phase in
            guard case .waiting = phase else { return false }
            let task = make()
            phase = .running(task)
            task.resume()
            return true
        }
    }

    /// Cancels the task, unless it was cancelled or has ended. A running one is cancelled by `body`, if there is one.
    func cancel(by body: (() -> Void)? = nil) {
        phase.withLock { phase in
            switch phase {
            case .waiting: phase = .cancelled
            case .running(let task):
                phase = .cancelled
                if let body { body() } else { task.cancel() }
            case .cancelled, .ended: break
            }
        }
    }

    /// Waits for a cancel in progress. No other one comes, unless another task follows. Returns whether it may start.
    @discardableResult
    func end(isFollowed: Bool = false) -> Bool {
        phase.withLock { phase in
            guard isFollowed, case .running = phase else {
                phase = .ended
                return false
            }
            phase = .waiting
            return true
        }
    }

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
