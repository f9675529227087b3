// Listener rows: listeners that are removed from a future with many of them.

import Futures

/// Listeners that are removed from a future with many of them. Adding them is not measured.
let listenerRows = Order.allCases.flatMap { order in
    [2000, 20_000, 200_000].map { count in
        var contestants = [ours(count, order), byHand(count, order)]
        // The linear search takes seconds, which is the point: one row of it is enough.
        if count == 20_000, order == .shuffled { contestants.append(bySearch(count, order)) }
        return Row(
            name: "detach one of \(count.short) listeners, \(order)", operations: count, isOnePass: true,
            isLong: count > 20_000, series: "detach, \(order)", contestants: contestants)
    }
}

private func ours(_ count: Int, _ order: Order) -> Contestant {
    Contestant.preparing(.futures) { _ in
        let promise = Promise<Int>()
        let listeners = order.arranged((0..<count).map { _ in promise.future.map(on: .immediate) { $0 } })
        // One listener stays: the future is cancelled when its last listener is.
        let last = promise.future.map(on: .immediate) { $0 }
        return {
            for listener in listeners { listener.cancel() }
            withExtendedLifetime(promise) { precondition(!last.isCompleted) }
        }
    }
}

private func byHand(_ count: Int, _ order: Order) -> Contestant {
    Contestant.preparing(.removingCallback) { _ in
        let callback = LeavableCallback()
        let listeners = order.arranged((0..<count).map { _ in callback.onResult { _ in } })
        return {
            for listener in listeners { callback.remove(listener) }
        }
    }
}

private func bySearch(_ count: Int, _ order: Order) -> Contestant {
    Contestant.preparing(.callback) { _ in
        let callback = CallbackList()
        let listeners = order.arranged((0..<count).map { _ in callback.onResult { _ in } })
        return {
            for listener in listeners { callback.remove(listener) }
        }
    }
}

/// The order in which listeners are removed.
private enum Order: CaseIterable {
    case forwards, shuffled

    func arranged<T>(_ elements: [T]) -> [T] {
        var random = Randomness()
        return switch self {
        case .forwards: elements
        case .shuffled: elements.shuffled(using: &random)
        }
    }
}

/// A generator of the same numbers in each run (SplitMix64).
private struct Randomness: RandomNumberGenerator {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
