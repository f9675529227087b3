// LockedTurn: one operation with the lock of a file, and then the release of the lock.

import Futures

/// One operation with the lock of a file.
///
/// A cancelled turn of a mutex waits for the closure of its operation, but not for those of the steps behind. The operation of
/// the user comes behind the steps that take the lock. So it has the lock as if it had a turn of its own.
final class LockedTurn: Sendable {
    private enum State {
        /// Next is running or ended.
        case waiting
        /// Next is ended.
        case running
        /// The operation was not called, and will not be. The final state.
        case ended
    }

    private let state = Locked(State.waiting)
    private let released = Promise<Void>()

    /// Runs an operation and then releases the lock, unless the turn has ended. To be called by a step.
    func run<T>(
        with lock: LockedFile, on scheduler: Scheduler, _ operation: @escaping @Sendable () throws -> Future<T>
    ) throws -> Future<T> {
        let isWaiting = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running
            return true
        }
        guard isWaiting else {
            lock.release()
            throw CancellationError()
        }
        return .holding(on: scheduler, operation) { [released] in
            lock.release()
            released.succeed()
        }
    }

    /// Returns a future that succeeds when the lock is released: now, if the operation has not been called.
    func end() -> Future<Void> {
        let old = state.withLock { state in
            defer { if case .waiting = state { state = .ended } }
            return state
        }
        if case .running = old { return released.future }
        released.succeed()
        return Future()
    }
}
