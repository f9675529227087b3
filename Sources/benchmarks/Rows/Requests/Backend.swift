// Backend: what the requests of the benchmark ask, such as a database. It answers from a queue of its own.

import Dispatch

/// What requests ask. All contestants ask the same one, and it answers none of them more cheaply than another.
enum Backend {
    private static let queue = DispatchQueue(label: "backend")

    /// Calls `answer` on a queue of the backend.
    @inline(never)
    static func ask(_ number: Int, _ answer: @escaping @Sendable (Int) -> Void) {
        queue.async { answer(number &+ 1) }
    }
}

/// What a request recovers from.
struct BackendError: Error {}
