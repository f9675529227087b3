// DispatchServer: the request by hand, with closures on a DispatchQueue.

import Dispatch
import Synchronization

/// The request by hand: closures on a queue, a table of the keys in use, a timer source for each request, and a
/// countdown.
///
/// It cannot be cancelled: a request that has timed out runs to its end.
final class DispatchServer: RequestServer {
    private let work = DispatchQueue(label: "work")
    private let lines = Mutex<[Int: [@Sendable () -> Void]]>([:])

    func request(_ id: Int, _ reply: @escaping @Sendable (Int) -> Void) {
        let key = key(id)
        enter(key) { [self] in
            let answer = Answer(on: work) { [self] result in
                leave(key)
                if case .success(let value) = result { reply(value) }
            }
            Backend.ask(id) { [self] first in
                work.async { [self] in
                    Backend.ask(first &+ 1) { [self] second in
                        work.async { [self] in gather(second, answer) }
                    }
                }
            }
        }
    }

    private func gather(_ number: Int, _ answer: Answer) {
        let values = Mutex((missing: 3, values: [0, 0, 0]))
        let gathering = Gathering(values: values)
        for index in 0..<3 {
            Backend.ask(number &+ index) { [work] value in
                guard let sum = gathering.add(value, at: index) else { return }
                work.async { answer.complete(.success(sum)) }
            }
        }
    }

    private final class Gathering: Sendable {
        private let values: Mutex<(missing: Int, values: [Int])>

        init(values: consuming Mutex<(missing: Int, values: [Int])>) { self.values = values }

        /// Returns the sum if this is the last value.
        func add(_ value: Int, at index: Int) -> Int? {
            values.withLock { state in
                state.values[index] = value
                state.missing -= 1
                return state.missing == 0 ? state.values[0] &+ state.values[1] &+ state.values[2] : nil
            }
        }
    }

    /// Runs `operation` on the working queue when the ones of the same key that came before have left.
    private func enter(_ key: Int, _ operation: @escaping @Sendable () -> Void) {
        let isFirst = lines.withLock { lines in
            if lines[key] == nil {
                lines[key] = []
                return true
            }
            lines[key]!.append(operation)
            return false
        }
        if isFirst { work.async(execute: operation) }
    }

    private func leave(_ key: Int) {
        let next = lines.withLock { lines -> (@Sendable () -> Void)? in
            if lines[key]!.isEmpty {
                lines[key] = nil
                return nil
            }
            return lines[key]!.removeFirst()
        }
        if let next { work.async(execute: next) }
    }
}

/// A result that comes once: from the request, or from its timer.
private final class Answer: Sendable {
    private let isComplete = Atomic<Bool>(false)
    // Dispatch's sources may be used from any thread, but are not marked as Sendable.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer
    private let reply: @Sendable (Result<Int, any Error>) -> Void

    init(on queue: DispatchQueue, _ reply: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        self.reply = reply
        timer.setEventHandler { [self] in complete(.failure(TooLate())) }
        timer.schedule(deadline: .now() + 60)
        timer.activate()
    }

    func complete(_ result: Result<Int, any Error>) {
        if isComplete.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.cancel()
        reply(result)
    }

    private struct TooLate: Error {}
}
