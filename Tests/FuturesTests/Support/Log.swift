// Log: what happened, in order, from any thread.

import Foundation

/// A list that callbacks on any thread write to and the test reads.
// An NSLock, as the thread sanitizer does not see `Synchronization.Mutex` on Linux.
final class Log<Entry: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Entry] = []

    var entries: [Entry] { lock.withLock { list } }
    var count: Int { entries.count }

    func add(_ entry: Entry) {
        lock.withLock { list.append(entry) }
    }
}

/// A variable that callbacks on any thread change.
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set {
            // What was stored is released outside of the lock: its deinit may come back here.
            let old = lock.withLock {
                let old = stored
                stored = newValue
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    @discardableResult
    func change<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        try lock.withLock { try body(&stored) }
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
