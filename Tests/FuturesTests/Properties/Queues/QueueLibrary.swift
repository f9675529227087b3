// QueueLibrary: the library, on which queue programs run.

import Futures

/// The library, with everything on `.immediate`.
final class QueueLibrary: QueueMachine {
    struct Failure: Error {
        let number: Int
    }

    func queue(limit: Int, bound: Int) -> FutureQueue<Void> {
        FutureQueue(maxConcurrentCount: limit, maxWaitingCount: bound)
    }

    func promise() -> Promise<Int> { Promise() }

    func complete(_ promise: Promise<Int>, _ outcome: Outcome) {
        switch outcome {
        case .value(let value): promise.succeed(value)
        case .error(let number): promise.fail(Failure(number: number))
        default: promise.fail(CancellationError())
        }
    }

    func enqueue(
        _ queue: FutureQueue<Void>, _ priority: QueuePriority, weight: Int, repeats: Int,
        _ body: @escaping @Sendable () throws -> Future<Int>
    ) -> Future<Int> {
        let future = queue.on(.immediate).enqueue(with: .priority(priority).weight(weight), body)
        return repeats == 0 ? future : future.onErrorRepeat(on: .immediate, maxRepetitions: repeats) { _ in true }
    }

    func returned(_ ending: QueueBody.Ending, _ id: Int, _ promise: (Int) -> Promise<Int>) throws -> Future<Int> {
        switch ending {
        case .value: return Future(id)
        case .error: return Future(error: Failure(number: id))
        case .thrown: throw Failure(number: id)
        case .never: return .never
        case .promise(let index): return promise(index).future
        }
    }

    func listen(_ end: Future<Int>, _ callback: @escaping @Sendable (Outcome) -> Void) -> Future<Int> {
        end.onResult(on: .immediate) { callback(Self.outcome($0)) }
    }

    func outcome(of end: Future<Int>) -> Outcome? { end.result.map(Self.outcome) }

    private static func outcome(_ result: Result<Int, any Error>) -> Outcome {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error as Failure): .error(error.number)
        case .failure(QueueError.closed): .error(-1)
        case .failure(is QueueError): .error(-2)
        case .failure: .cancelled
        }
    }

    func cancel(_ end: Future<Int>) { end.cancel() }

    func abort(_ queue: FutureQueue<Void>, closes: Bool) {
        if closes { queue.close(with: Failure(number: -3)) }
        queue.cancelAll(with: Failure(number: -3))
    }

    func close(_ queue: FutureQueue<Void>) { queue.close() }
    func pause(_ queue: FutureQueue<Void>) { queue.isPaused = true }
    func resume(_ queue: FutureQueue<Void>) { queue.isPaused = false }

    func drained(_ queue: FutureQueue<Void>, _ callback: @escaping @Sendable () -> Void) {
        queue.drained().onValue(on: .immediate) { callback() }
    }

    func report(of queue: FutureQueue<Void>) -> QueueReport {
        QueueReport(queue.waitingCount, queue.runningCount, queue.closedError != nil, queue.isPaused)
    }
}
