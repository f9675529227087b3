// QueueProgram: actions on queues, for the library and the model alike.

import Futures

/// One step. Indices count modulo the number of queues, promises or operations, so that any part of it is valid.
indirect enum QueueStep: Sendable {
    case promise
    case complete(promise: Int, Outcome)
    case enqueue(queue: Int, QueuePriority, weight: Int, repeats: Int, QueueBody)
    /// Cancels the last future that was made of an operation.
    case cancel(Int)
    case abort(queue: Int, closes: Bool)
    case close(queue: Int)
    case pause(queue: Int)
    case resume(queue: Int)
    case drained(queue: Int, [QueueStep])
}

struct QueueBody: Sendable {
    enum Ending: Sendable {
        case value, error, thrown, never
        case promise(Int)
    }

    var steps: [QueueStep] = []
    var ending = Ending.value
    /// The actions of the operation's listener; nil if it has none.
    var heard: [QueueStep]?
}

struct QueueReport: Equatable, Sendable, CustomStringConvertible {
    let waiting, running: Int
    let isClosed, isPaused: Bool

    init(_ waiting: Int, _ running: Int, _ isClosed: Bool, _ isPaused: Bool) {
        (self.waiting, self.running, self.isClosed, self.isPaused) = (waiting, running, isClosed, isPaused)
    }

    var description: String { "\(running)+\(waiting)\(isClosed ? " closed" : "")\(isPaused ? " paused" : "")" }
}

/// The actions on queues, implemented by the library and by the model.
protocol QueueMachine: AnyObject, SendableMetatype {
    associatedtype QueueType
    associatedtype PromiseType
    associatedtype Returned
    associatedtype End

    func queue(limit: Int, bound: Int) -> QueueType
    func promise() -> PromiseType
    func complete(_ promise: PromiseType, _ outcome: Outcome)
    func enqueue(
        _ queue: QueueType, _ priority: QueuePriority, weight: Int, repeats: Int,
        _ body: @escaping @Sendable () throws -> Returned
    ) -> End
    /// What operation `id` returns, or throws.
    func returned(_ ending: QueueBody.Ending, _ id: Int, _ promise: (Int) -> PromiseType) throws -> Returned
    func listen(_ end: End, _ callback: @escaping @Sendable (Outcome) -> Void) -> End
    func outcome(of end: End) -> Outcome?
    func cancel(_ end: End)
    func abort(_ queue: QueueType, closes: Bool)
    func close(_ queue: QueueType)
    func pause(_ queue: QueueType)
    func resume(_ queue: QueueType)
    func drained(_ queue: QueueType, _ callback: @escaping @Sendable () -> Void)
    func report(of queue: QueueType) -> QueueReport
}

enum QueueEntry: Equatable, Sendable {
    case began(operation: Int)
    case returned(operation: Int)
    case heard(operation: Int, Outcome)
    case drained(Int)
    case state([QueueReport], [Outcome?])
}

/// Runs programs on a machine.
// Safe to share: everything happens on one thread.
final class QueueInterpreter<M: QueueMachine>: @unchecked Sendable {
    private let machine: M
    private let queues: [M.QueueType]
    private var promises: [M.PromiseType]
    private var ends: [M.End?] = []
    private var drainedCount = 0
    private(set) var log: [QueueEntry] = []

    init(_ machine: M) {
        self.machine = machine
        queues = [machine.queue(limit: 1, bound: .max), machine.queue(limit: 3, bound: 3)]
        promises = (0..<2).map { _ in machine.promise() }
    }

    func run(_ program: [QueueStep]) {
        for step in program {
            run(step)
            log.append(.state(queues.map(machine.report), ends.map { $0.flatMap(machine.outcome) }))
        }
    }

    /// Ends the operations that never complete: they would keep their queues, at which the watchdog looks.
    func end() {
        for queue in queues { machine.abort(queue, closes: true) }
    }

    private func run(_ step: QueueStep) {
        switch step {
        case .promise: promises.append(machine.promise())
        case .complete(let index, let outcome): machine.complete(promises[index % promises.count], outcome)
        case .enqueue(let queue, let priority, let weight, let repeats, let body):
            add(body) { [self] id in
                machine.enqueue(self.queue(queue), priority, weight: weight, repeats: repeats) {
                    try self.call(id, body)
                }
            }
        case .cancel(let index): if !ends.isEmpty, let end = ends[index % ends.count] { machine.cancel(end) }
        case .abort(let queue, let closes): machine.abort(self.queue(queue), closes: closes)
        case .close(let queue): machine.close(self.queue(queue))
        case .pause(let queue): machine.pause(self.queue(queue))
        case .resume(let queue): machine.resume(self.queue(queue))
        case .drained(let queue, let steps):
            drainedCount += 1
            machine.drained(self.queue(queue)) { [self, id = drainedCount] in
                log.append(.drained(id))
                steps.forEach(run)
            }
        }
    }

    /// Adds an operation, which cannot be cancelled before it has been made.
    private func add(_ body: QueueBody, _ make: (Int) -> M.End) {
        let id = ends.count
        ends.append(nil)
        var end = make(id)
        if let steps = body.heard {
            end = machine.listen(end) { [self] outcome in
                log.append(.heard(operation: id, outcome))
                steps.forEach(run)
            }
        }
        ends[id] = end
    }

    private func call(_ id: Int, _ body: QueueBody) throws -> M.Returned {
        log.append(.began(operation: id))
        body.steps.forEach(run)
        log.append(.returned(operation: id))
        return try machine.returned(body.ending, id) { promises[$0 % promises.count] }
    }

    private func queue(_ index: Int) -> M.QueueType { queues[index % queues.count] }
}
