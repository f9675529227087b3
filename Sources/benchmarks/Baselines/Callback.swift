// Callback: a future as one writes it by hand, with a mutex and a closure.

import Synchronization

/// A future number as one writes it by hand where one is needed: a result, or the closure that waits for it, behind a
/// mutex.
///
/// It has one listener, can neither be cancelled nor repeated, knows no scheduler, recurses, and says nothing if
/// nobody completes it. It is not generic on purpose: a generic one takes two to four times as long (its deinit looks
/// up metadata), and the hardest to beat is the one to be measured by. An array of listeners costs another 5 to 35 %.
final class Callback: Sendable {
    typealias Listener = @Sendable (Result<Int, any Error>) -> Void

    private struct State {
        var result: Result<Int, any Error>?
        var listener: Listener?
    }

    private let state: Mutex<State>

    // Not inlined, else the optimiser may find that an object never leaves the loop and put it on the stack, which
    // happens to no callback in real life.
    @inline(never)
    init() { state = Mutex(State()) }

    @inline(never)
    init(_ value: Int) { state = Mutex(State(result: .success(value))) }

    /// Calls `listener` with the result, now or once there is one.
    func onResult(_ listener: @escaping Listener) {
        let result = state.withLock { state in
            if state.result == nil { state.listener = listener }
            return state.result
        }
        if let result { listener(result) }
    }

    /// Completes it, unless it is completed.
    func complete(_ result: Result<Int, any Error>) {
        let listener = state.withLock { state -> Listener? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.listener = nil }
            return state.listener
        }
        listener?(result)
    }
}

extension Callback {
    var isCompleted: Bool { state.withLock { $0.result != nil } }

    func onValue(_ listener: @escaping @Sendable (Int) -> Void) {
        onResult { if case .success(let value) = $0 { listener(value) } }
    }

    func map(_ transform: @escaping @Sendable (Int) throws -> Int) -> Callback {
        let mapped = Callback()
        onResult { result in
            mapped.complete(Result { try transform(result.get()) })
        }
        return mapped
    }

    func flatMap(_ transform: @escaping @Sendable (Int) throws -> Callback) -> Callback {
        let mapped = Callback()
        onResult { result in
            do {
                try transform(result.get()).onResult { mapped.complete($0) }
            } catch {
                mapped.complete(.failure(error))
            }
        }
        return mapped
    }
}
