// ProgressCounter: how much of some work is done, counted by any number of threads.

import Foundation
import Futures

/// Counts how much of some work is done.
///
///     let files = ProgressCounter(total: 100)
///     downloads.forEach { $0.counted(by: files) }
///     print(files.fraction ?? 0)
///
/// Unlike Foundation's `Progress`, a counter can be changed by many threads at the same time. `connect` shows it as a
/// `Progress`.
public final class ProgressCounter: Sendable {
    /// The numbers of a counter at one moment.
    struct Snapshot: Sendable, Equatable {
        var completed: Int64
        var total: Int64?

        var fraction: Double? {
            guard let total else { return nil }
            return total > 0 ? min(max(Double(completed) / Double(total), 0), 1) : 1
        }
    }

    private struct State {
        var numbers: Snapshot
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextKey = 0
    }

    private let state: Locked<State>

    /// Creates a counter of nothing done.
    ///
    /// - Parameter total: What there is to do; nil if it is not known yet.
    public init(total: Int64? = nil) {
        state = Locked(State(numbers: Snapshot(completed: 0, total: total)))
    }

    var snapshot: Snapshot { state.withLock { $0.numbers } }

    /// What is done.
    public var completed: Int64 { snapshot.completed }

    /// What there is to do; nil if it is not known.
    public var total: Int64? { snapshot.total }

    /// The part that is done, from 0 to 1; nil if the total is not known.
    public var fraction: Double? { snapshot.fraction }

    /// Adds to what is done. A negative number takes back.
    ///
    /// - Parameter count: How much was done.
    public func add(_ count: Int64 = 1) { change { $0.completed &+= count } }

    /// Adds to what there is to do. A negative number takes back.
    ///
    /// - Parameter count: How much more there is to do.
    public func expect(_ count: Int64) { change { $0.total = ($0.total ?? 0) &+ count } }

    /// Calls `body` whenever the numbers change, on the thread that changes them, until the returned object is disposed
    /// or released.
    func observe(_ body: @escaping @Sendable () -> Void) -> Disposer {
        let key = state.withLock { state in
            state.nextKey += 1
            state.observers[state.nextKey] = body
            return state.nextKey
        }
        return Disposer { [weak self] in
            let observer = self?.state.withLock { $0.observers.removeValue(forKey: key) }
            // Released outside of the lock.
            withExtendedLifetime(observer) {}
        }
    }

    private func change(_ body: (inout Snapshot) -> Void) {
        let observers = state.withLock { state in
            body(&state.numbers)
            return state.observers.isEmpty ? nil : Array(state.observers.values)
        }
        observers?.forEach { $0() }
    }
}

extension ProgressCounter: CustomStringConvertible {
    /// The numbers, such as `45 of 100`.
    public var description: String {
        let numbers = snapshot
        return "\(numbers.completed)" + (numbers.total.map { " of \($0)" } ?? "")
    }
}
