// Guarded: a variable for all threads, behind a lock that the thread sanitizer sees.

import Foundation

final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<T>(_ body: (inout Value) -> T) -> T { lock.withLock { body(&value) } }
}

extension Guarded {
    func take<Wrapped>() -> Wrapped? where Value == Wrapped? {
        with { value in
            defer { value = nil }
            return value
        }
    }
}
