// Leaving: callbacks with removable listeners, by a linear search or in O(1).

import Synchronization

/// A callback with any number of listeners in an array. Removing one takes a linear search.
final class CallbackList: Sendable {
    typealias Listener = Callback.Listener

    private struct State {
        var result: Result<Int, any Error>?
        var listeners: [(ticket: Int, listener: Listener)] = []
        var tickets = 0
    }

    private let state = Mutex(State())

    @inline(never)
    init() {}

    /// Calls `listener` with the result, either immediately or when the callback is completed. Returns a ticket with
    /// which the listener can be removed.
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

    func remove(_ ticket: Int) {
        let removed = state.withLock { state in
            state.listeners.firstIndex { $0.ticket == ticket }.map { state.listeners.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
    }

    func complete(_ result: Result<Int, any Error>) {
        let listeners = state.withLock { state -> [(ticket: Int, listener: Listener)] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.listeners = [] }
            return state.listeners
        }
        for (_, listener) in listeners { listener(result) }
    }
}

/// A callback with any number of listeners in a doubly linked list. Removing one takes O(1).
final class LeavableCallback: Sendable {
    typealias Listener = Callback.Listener

    // Safe to share: `listener` is a constant. The other properties are accessed under the callback's mutex, or, once
    // the callback is completed, only by the thread that completes it: no entry is removed after that.
    final class Entry: @unchecked Sendable {
        fileprivate let listener: Listener
        @exclusivity(unchecked) fileprivate var next: Entry?
        @exclusivity(unchecked) fileprivate unowned(unsafe) var previous: Entry?
        @exclusivity(unchecked) fileprivate var isListed = false

        fileprivate init(_ listener: @escaping Listener) { self.listener = listener }
    }

    private struct State {
        var result: Result<Int, any Error>?
        var first: Entry?
        unowned(unsafe) var last: Entry?
    }

    private let state = Mutex(State())

    @inline(never)
    init() {}

    @discardableResult
    func onResult(_ listener: @escaping Listener) -> Entry {
        let entry = Entry(listener)
        let result = state.withLock { state in
            if state.result == nil {
                entry.previous = state.last
                entry.isListed = true
                if let last = state.last { last.next = entry } else { state.first = entry }
                state.last = entry
            }
            return state.result
        }
        if let result { listener(result) }
        return entry
    }

    func remove(_ entry: Entry) {
        state.withLock { state in
            guard entry.isListed else { return }
            entry.isListed = false
            let next = entry.next.take()
            next?.previous = entry.previous
            if next == nil { state.last = entry.previous }
            if let previous = entry.previous { previous.next = next } else { state.first = next }
            entry.previous = nil
        }
    }

    func complete(_ result: Result<Int, any Error>) {
        var entry = state.withLock { state -> Entry? in
            guard state.result == nil else { return nil }
            state.result = result
            state.last = nil
            return state.first.take()
        }
        // One by one: releasing a long list at its head would overflow the stack.
        while let first = entry {
            entry = first.next.take()
            first.listener(result)
        }
    }
}
