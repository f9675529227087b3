// CallbackQueue: a hand-written serial queue of callbacks that runs on the caller's thread.

import Synchronization

/// A hand-written serial queue. An operation that finds the queue empty is called immediately, on the caller's thread;
/// any other one on the thread that completes the operation before it.
///
/// Its operations cannot be cancelled or aborted, have no priorities or time limits, and wait for each other forever in
/// a deadlock.
final class CallbackQueue: Sendable {
    typealias Operation = @Sendable () -> Callback

    private struct State {
        var isBusy = false
        var waiting: [(operation: Operation, answer: Callback)] = []
        var head = 0

        mutating func next() -> (operation: Operation, answer: Callback)? {
            guard head < waiting.count else {
                (isBusy, head) = (false, 0)
                waiting.removeAll(keepingCapacity: true)
                return nil
            }
            defer { head += 1 }
            return waiting[head]
        }
    }

    private let state = Mutex(State())

    @inline(never)
    init() {}

    @inline(never)
    func enqueue(_ operation: @escaping Operation) -> Callback {
        let answer = Callback()
        let isFirst = state.withLock { state in
            if state.isBusy { state.waiting.append((operation, answer)) }
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFirst { run(operation, answer) }
        return answer
    }

    var isEmpty: Bool { state.withLock { !$0.isBusy } }

    // A loop, as calls of calls would overflow the stack.
    private func run(_ operation: @escaping Operation, _ answer: Callback) {
        var next: (operation: Operation, answer: Callback)? = (operation, answer)
        while let (operation, answer) = next {
            let callback = operation()
            guard let result = callback.result else {
                callback.onResult { [self] in
                    answer.complete($0)
                    if let next = state.withLock({ $0.next() }) { run(next.operation, next.answer) }
                }
                return
            }
            answer.complete(result)
            next = state.withLock { $0.next() }
        }
    }
}
