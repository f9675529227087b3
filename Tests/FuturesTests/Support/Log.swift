// Log: events in their order, from any thread.

import Foundation

/// A list to which callbacks on any thread append, and which the test reads.
// Uses an NSLock, because the thread sanitizer does not understand `Synchronization.Mutex` on Linux.
final class Log<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Entry] = []

    var entries: [Entry] { lock.withLock { list } }
    var count: Int { entries.count }

    func add(_ entry: Entry) { lock.withLock { list.append(entry) } }

    /// Adds an entry, and then returns `value`.
    func add<T>(_ entry: Entry, returning value: @autoclosure () throws -> T) rethrows -> T {
        add(entry)
        return try value()
    }
}

/// A variable that callbacks on any thread change.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set {
            // The old value is released outside of the lock, as its deinit may access this variable.
            let old = lock.withLock {
                let old = stored
                stored = newValue
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    @discardableResult
    func change<T>(_ body: (inout Value) throws -> T) rethrows -> T { try lock.withLock { try body(&stored) } }
}

extension Shared where Value: RangeReplaceableCollection {
    /// Empties the collection. Returns its elements, which are not released under the lock.
    func takeAll() -> Value {
        change { elements in
            defer { elements = Value() }
            return elements
        }
    }
}

extension Shared<Int> {
    /// Adds one and returns the sum.
    @discardableResult
    func increment() -> Int {
        change {
            $0 += 1; return $0
        }
    }
}
