// FullCallback: a hand-written future that keeps those of our promises that one class can keep.

import Synchronization

/// A hand-written future with an operation, any number of listeners that can leave, a cancel, and an owner that fails
/// it when released: what a promise or an operation of ours promises. It cannot be repeated, and recurses.
final class FullCallback: Sendable {
    typealias Listener = Callback.Listener
    typealias Cancel = @Sendable () -> Void

    private struct State {
        var result: Result<Int, any Error>?
        var listeners: [(ticket: Int, listener: Listener)] = []
        var tickets = 0
        var cancel: Cancel?
    }

    private let state = Mutex(State())

    @inline(never)
    init() {}

    /// Creates a callback that `operation` completes. The closure that it returns stops it.
    @inline(never)
    init(_ operation: (FullCompleter) -> Cancel?) {
        guard let cancel = operation(FullCompleter(self)) else { return }
        let isCompleted = state.withLock { state in
            if state.result == nil { state.cancel = cancel }
            return state.result != nil
        }
        if isCompleted { cancel() }
    }

    /// Calls `listener` with the result, either immediately or when the callback is completed. Returns a ticket with
    /// which the listener can leave.
    @discardableResult
    func onResult(_ listener: @escaping Listener) -> Int {
        let (result, ticket) = state.withLock { state in
            state.tickets += 1
            if state.result == nil { state.listeners.append((state.tickets, listener)) }
            return (state.result, state.tickets)
        }
        if let result { listener(result) }
        return ticket
    }

    func onValue(_ listener: @escaping @Sendable (Int) -> Void) {
        onResult { if case .success(let value) = $0 { listener(value) } }
    }

    /// Removes a listener. If it was the last one, the operation is stopped.
    func leave(_ ticket: Int) {
        let (removed, isLast) = state.withLock { state in
            let removed = state.listeners.firstIndex { $0.ticket == ticket }.map { state.listeners.remove(at: $0) }
            return (removed, removed != nil && state.listeners.isEmpty)
        }
        if isLast { complete(.failure(Cancelled())) }
        withExtendedLifetime(removed) {}
    }

    /// Completes the callback, unless it is already completed. What stops the operation is called in either case, as a
    /// `Disposable` of ours is disposed.
    func complete(_ result: Result<Int, any Error>) {
        let (listeners, cancel) = state.withLock { state -> ([(ticket: Int, listener: Listener)], Cancel?) in
            guard state.result == nil else { return ([], nil) }
            state.result = result
            defer { (state.listeners, state.cancel) = ([], nil) }
            return (state.listeners, state.cancel)
        }
        cancel?()
        for (_, listener) in listeners { listener(result) }
    }

    fileprivate var isCompleted: Bool { state.withLock { $0.result != nil } }
}

/// The owner of a callback. If it is released before the callback is completed, the callback fails.
final class FullCompleter: Sendable {
    let callback: FullCallback

    @inline(never)
    init(_ callback: FullCallback) { self.callback = callback }

    func complete(_ result: Result<Int, any Error>) { callback.complete(result) }

    deinit {
        // Checked first: creating an error costs an allocation.
        if !callback.isCompleted { callback.complete(.failure(Abandoned())) }
    }
}

private struct Cancelled: Error {}

/// The error of a callback whose completer was released.
struct Abandoned: Error {}
