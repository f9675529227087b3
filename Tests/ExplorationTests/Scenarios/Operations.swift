// Operations: cancelled and completed while another thread starts them.

import Futures

/// An operation that another thread starts. It notes when it starts and when it is disposed.
private final class Operation: Sendable {
    let notes = Notes()
    private let completion = Variable<Future<Tracked>.Completion>()
    /// Kept, because a disposer is disposed when it is released.
    private let disposer = Variable<Disposer>()

    func start() -> Future<Tracked> {
        Future<Tracked>(on: Scheduler(label: "explored")) { [self] completion in run(completion) }
    }

    /// Starts it on this thread, before the future is known to any other.
    func startHere() -> Future<Tracked> { Future<Tracked> { [self] completion in run(completion) } }

    private func run(_ completion: @escaping Future<Tracked>.Completion) -> Disposer {
        notes.add("starts")
        self.completion.value = completion
        pause()
        let disposer = Disposer { [notes] in notes.add("disposed") }
        self.disposer.value = disposer
        return disposer
    }

    func complete() { completion.value?(.success(Tracked(1))) }

    /// Returns what was noted before.
    func release() -> [String] {
        let all = notes.all
        (completion.value, disposer.value) = (nil, nil)
        return all
    }
}

let operationScenarios = [
    Scenario("an operation that starts on another thread: cancel", threads: 1, workers: 1) {
        let operation = Operation()
        let future = operation.start()
        return .init(
            threads: [{ future.cancel() }],
            check: {
                let all = [outcome(future)] + operation.release()
                return expect(all, among: [["cancelled"], ["cancelled", "starts", "disposed"]])
            })
    },
    Scenario("an operation that starts on another thread: complete", threads: 1, workers: 1) {
        let operation = Operation()
        let future = operation.start()
        return .init(
            threads: [operation.complete],
            check: {
                operation.complete()
                return expect([outcome(future)] + operation.release(), among: [["1", "starts", "disposed"]])
            })
    },
    Scenario("an operation that starts where it is made: complete", threads: 2) {
        let operation = Operation()
        return .init(
            threads: [
                { operation.startHere().onValue(on: .immediate) { _ in operation.notes.add("called") } },
                operation.complete,
            ],
            check: {
                operation.complete()
                return expect(operation.release(), among: [["starts", "disposed", "called"]])
            })
    },
    Scenario("an operation in a queue that starts on another thread: cancel", threads: 1, workers: 1) {
        let (operation, queue) = (Operation(), FutureQueue())
        let future = queue.on(.immediate).enqueue { operation.start() }
        _ = queue.on(.immediate).run { operation.notes.add("next") }
        return .init(
            threads: [{ future.cancel() }],
            check: { expect(operation.release(), among: [["next"], ["starts", "disposed", "next"]]) })
    },
]
