// OneAtATime: operations of which no two may run at the same time.

import Futures
import Synchronization

/// Counts the operations that have the turn, and notes if there is more than one.
final class OneAtATime: Sendable {
    private let state = Mutex<(inside: Int, overlapped: Bool, count: Int)>((0, false, 0))

    func enter() {
        state.withLock { state in
            state.inside += 1
            state.count += 1
            if state.inside > 1 { state.overlapped = true }
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }

    /// What is wrong, if anything.
    var failure: String? {
        state.withLock { state in
            if state.overlapped { return "two operations at once" }
            return state.inside != 0 ? "an operation has not ended" : nil
        }
    }

    /// Returns what is wrong. `allowed`: how many operations should have run.
    func failure(_ allowed: ClosedRange<Int>) -> String? {
        let count = state.withLock { $0.count }
        return failure ?? (allowed.contains(count) ? nil : "\(count) operations have run")
    }

    /// An operation that is in its turn until `future` completes.
    func operation(_ future: Future<Tracked>) -> Future<Tracked> {
        enter()
        return future.always(on: .immediate) { self.leave() }
    }

    func operation() -> Future<Tracked> {
        enter()
        // Another thread's operation would meet this one here.
        pause()
        leave()
        return Future(Tracked(1))
    }
}
