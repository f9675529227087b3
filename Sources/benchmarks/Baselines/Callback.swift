// Callback: a hand-written future with a mutex and a closure.

import Dispatch
import Synchronization

/// A minimal hand-written future of an integer: a mutex around the result, or around the closure that waits for it.
///
/// It has at most one listener, cannot be cancelled or repeated, does not support schedulers, recurses, and stays
/// pending forever if it is never completed. It is deliberately not generic: a generic class takes two to four times
/// as long because its deinit looks up metadata, and the baseline is meant to be hard to beat. An array of listeners
/// costs another 5 to 35 %.
final class Callback: Sendable {
    typealias Listener = @Sendable (Result<Int, any Error>) -> Void

    private struct State {
        var result: Result<Int, any Error>?
        var listener: Listener?
    }

    private let state: Mutex<State>

    // Not inlined: otherwise the optimizer may prove that the object does not escape the loop and allocate it on the
    // stack, which does not happen in real code.
    @inline(never)
    init() { state = Mutex(State()) }

    @inline(never)
    init(_ value: Int) { state = Mutex(State(result: .success(value))) }

    /// Calls `listener` with the result, either immediately or when the callback is completed.
    func onResult(_ listener: @escaping Listener) {
        let result = state.withLock { state in
            if state.result == nil { state.listener = listener }
            return state.result
        }
        if let result { listener(result) }
    }

    /// Completes the callback, unless it is already completed.
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
    var isCompleted: Bool { result != nil }
    var result: Result<Int, any Error>? { state.withLock { $0.result } }

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

    /// The same, but `transform` is called on `queue`.
    func map(on queue: DispatchQueue, _ transform: @escaping @Sendable (Int) throws -> Int) -> Callback {
        let mapped = Callback()
        onResult { result in
            queue.async { mapped.complete(Result { try transform(result.get()) }) }
        }
        return mapped
    }

    /// The same, but `listener` is called on `queue`.
    func onValue(on queue: DispatchQueue, _ listener: @escaping @Sendable (Int) -> Void) {
        onResult { if case .success(let value) = $0 { queue.async { listener(value) } } }
    }
}
