// FutureClaim: the moment from which an operation cannot be cancelled any more.

import Futures

/// The right of an operation to do what cannot be undone. Once the operation has claimed its future, that cannot be
/// cancelled.
///
/// A future that has a listener cannot be cancelled. So the claim gives the future one, and then looks whether a cancel
/// has come before: either `cancel()` returns false from then on, or it has returned true, and the claim fails.
///
/// This is exact for the future that `Future.claimable` returns, and for those that are linked to it. A future that was
/// made of it in another way, such as by `map` or `retry`, can be cancelled at any moment: then the operation
/// continues, as one does whose future has other listeners.
final class FutureClaim<Value: Sendable>: Sendable {
    private enum State {
        /// There is no reference to the future: it is being created, or it is the one of a repetition. Next is pending,
        /// claimed or ended.
        case unknown
        /// Next is claimed or ended.
        case pending(Future<Value>)
        /// Next is ended.
        case claimed
        /// The future has a result. The final state.
        case ended
    }

    private let state = Locked(State.unknown)

    /// Throws if the future was cancelled.
    func check() throws {
        if case .ended = state.withLock({ $0 }) { throw CancellationError() }
    }

    /// Returns whether the future was not cancelled, and cannot be cancelled from now on.
    func take() -> Bool {
        let old = state.withLock { state in
            defer { if case .ended = state {} else { state = .claimed } }
            return state
        }
        switch old {
        case .pending(let future): return Self.protect(future)
        case .unknown, .claimed: return true
        case .ended: return false
        }
    }

    fileprivate func created(_ future: Future<Value>) {
        let old = state.withLock { state in
            defer { if case .unknown = state { state = .pending(future) } }
            return state
        }
        // Nothing else has a reference to the future yet.
        if case .claimed = old { _ = Self.protect(future) }
    }

    fileprivate func end() {
        // Released without the lock.
        _ = state.withLock { state in
            defer { state = .ended }
            return state
        }
    }

    /// Gives the future a listener, and returns whether it had no result before.
    private static func protect(_ future: Future<Value>) -> Bool {
        // Unlike `shieldedFromCancellation()`, it has no failure of its own that a diagnosis would report as
        // unobserved.
        _ = future.onResult(on: .immediate) { _ in }
        return !future.isCompleted
    }
}

extension Future {
    /// Returns a future whose operation can claim it.
    static func claimable(
        _ file: StaticString = #fileID, _ line: UInt = #line,
        _ operation: @escaping @Sendable (FutureClaim<Value>, @escaping Completion) throws -> any Disposable
    ) -> Future {
        let claim = FutureClaim<Value>()
        let unused = Locked<FutureClaim<Value>?>(claim)
        let future = Future(on: .immediate, file: file, line: line) { completion in
            // Each repetition has a future of its own.
            let claim = unused.withLock { $0.take() } ?? FutureClaim()
            let disposable = try operation(claim, completion)
            return Disposer {
                claim.end()
                disposable.dispose()
            }
        }
        claim.created(future)
        return future
    }
}
