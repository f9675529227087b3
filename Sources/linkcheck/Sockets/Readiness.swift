// Readiness: turns the readiness of a socket into futures.

@preconcurrency import Dispatch
import Futures
import Synchronization

/// Waits until a socket is ready, any number of times, one after the other.
///
/// It has one Dispatch source for the socket's life, which is suspended while nothing waits. A source for each wait
/// would lose events on Linux: if it is cancelled while its handler runs, the next source of the same socket is not
/// armed.
final class Readiness: Sendable {
    enum Event {
        case read, write
    }

    private struct State {
        var isSuspended = true
        var waiting: Future<Void>.Completion?
        /// The number of waits so far, so that one that has ended does not remove the next.
        var count = 0
    }

    private let source: any DispatchSourceProtocol
    private let state = Mutex(State())

    init(_ socket: Socket, _ event: Event) {
        source =
            switch event {
            case .read: DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: .global())
            case .write: DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: .global())
            }
        source.setEventHandler { [weak self] in self?.notify() }
        // The socket must not be closed before the source has been cancelled completely.
        source.setCancelHandler { withExtendedLifetime(socket) {} }
    }

    deinit {
        source.cancel()
        // A suspended source is never cancelled completely.
        if state.withLock({ $0.isSuspended }) { source.resume() }
    }

    /// Returns a future that succeeds when the socket is ready, or when its connection has ended.
    func wait() -> Future<Void> {
        Future(on: .immediate) { completion in
            let count = self.state.withLock { state in
                state.waiting = completion
                state.count += 1
                if state.isSuspended { self.source.resume() }
                state.isSuspended = false
                return state.count
            }
            return Disposer { self.state.withLock { if $0.count == count { $0.waiting = nil } } }
        }
    }

    private func notify() {
        let waiting = state.withLock { state in
            // Until the next wait, or else a readable socket would notify again and again.
            if !state.isSuspended { source.suspend() }
            state.isSuspended = true
            return state.waiting.take()
        }
        waiting?(.success(()))
    }
}
