// Queue programs: the actions of four threads on a queue, with keys or without, and the first fault.

import Futures

/// The operations of a queue that a program uses, with keys or without.
struct QueueFace: Sendable {
    /// The visit's group is its key or its priority.
    let enqueue:
        @Sendable (
            Visit, Scheduler, _ waiting: Duration?, _ running: Duration?, @escaping @Sendable () throws -> Future<Int>
        )
            -> Future<Int>
    let enqueueTask: @Sendable (Visit, Duration?, @escaping @Sendable () async throws -> Int) -> Future<Int>
    let abort: @Sendable (_ group: Int, _ closing: Bool) -> Void
    let setPaused: @Sendable (Bool) -> Void
    let close: @Sendable () -> Future<Void>
    let drained: @Sendable () -> Future<Void>
    let room: @Sendable () -> Future<Void>
    let closedError: @Sendable () -> (any Error)?
    /// The number of waiting operations, and whether the queue holds nothing at all.
    let waitingCount: @Sendable () -> Int
    let isEmpty: @Sendable () -> Bool
}

/// A queue, the actions of four threads on it, and the first fault.
final class QueueProgram: ThreadProgram {
    private let witness = Witness()
    private let queue: Guarded<QueueFace?>
    private let premises: Premises
    private let pending = Pending()
    private let maxWaitingCount: Int
    private let isLeft: Bool
    private let isClosed: Bool
    private let seed: UInt64

    init(
        _ queue: QueueFace, _ random: inout SplitMix, limit: Int, groupLimit: Int = .max, maxWaitingCount: Int = .max
    ) {
        self.queue = Guarded(queue)
        premises = Premises(witness, limit: limit, groupLimit: groupLimit)
        self.maxWaitingCount = maxWaitingCount
        isLeft = random.oneIn(4)
        isClosed = random.oneIn(4)
        seed = random.next()
    }

    var complaint: String? { witness.complaint }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            // Another thread may release the queue now; then this is its last reference.
            guard let queue = queue.with({ $0 }) else { return }
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1: pending.cancelOne(&random)
            case 2: witness.openGates()
            case 3: queue.setPaused(random.oneIn(2))
            case 4: awaitEmptiness(queue.drained, &random)
            case 5: queue.abort(Int.random(in: 0..<3, using: &random), false)
            // Not if a thread releases the queue: waiting for capacity retains the queue, which may be paused.
            case 6 where !isLeft:
                let (visit, seed) = (visit(&random), random.next())
                let future = queue.room().flatMap(on: .immediate) { [self] in
                    var random = SplitMix(seed)
                    return enqueue(queue, visit, &random)
                }
                add(future, nil, &random)
            default:
                let visit = visit(&random)
                add(enqueue(queue, visit, &random), visit, &random)
            }
            if queue.waitingCount() > maxWaitingCount { witness.complain("too many wait") }
            guard step == last else { continue }
            if isClosed, thread == 1 {
                if random.oneIn(2) { queue.abort(0, true) } else { awaitEmptiness(queue.close, &random) }
                if queue.closedError() == nil { witness.complain("a closed one accepts") }
            }
            if isLeft, thread == 0 { _ = self.queue.with { $0.take() } }
        }
    }

    private func visit(_ random: inout SplitMix) -> Visit {
        premises.visit(group: Int.random(in: 0..<3, using: &random))
    }

    private func enqueue(_ queue: QueueFace, _ visit: Visit, _ random: inout SplitMix) -> Future<Int> {
        let (object, course) = (witness.census.make(), random.pick(Witness.Course.allCases))
        if random.oneIn(5) {
            return queue.enqueueTask(visit, random.limit()) { [premises, witness] in
                try await object.pass(witness).task(course, premises.enter(visit))
            }
        }
        let scheduler = random.pick([Scheduler.immediate, .immediate, Scheduler(label: "serial"), .background])
        return queue.enqueue(visit, scheduler, random.limit(), random.limit()) { [premises, witness] in
            try object.pass(witness).work(course, premises.enter(visit))
        }
    }

    /// `visit` is nil if it is unknown when the operation was enqueued.
    private func add(_ future: Future<Int>, _ visit: Visit?, _ random: inout SplitMix) {
        let isRepeated = random.oneIn(5)
        if !isRepeated { visit?.waits = witness.now() }
        var end = future.onError(on: .immediate) { [witness] error in
            guard let visit, !isRepeated, visit.enters != nil else { return }
            switch error as? QueueError {
            case .closed, .waitTimedOut, .full: witness.complain("\(error), though it has begun")
            default: break
            }
        }
        if isRepeated {
            // Not an operation that ran too long: its closure may still be running.
            end = end.onErrorRepeat(on: .immediate, maxRepetitions: 2) { error in
                if case .runTimedOut = error as? QueueError { return false }
                return !(error is CancellationError)
            }
        }
        if random.oneIn(5) { end.cancel() }
        pending.add(end)
    }

    private func awaitEmptiness(_ emptiness: () -> Future<Void>, _ random: inout SplitMix) {
        let start = witness.now()
        let end = emptiness().map(on: .immediate) { [premises] in
            premises.checkEmptiness(since: start)
            return 1
        }
        if random.oneIn(5) { end.cancel() }
        pending.add(end)
    }

    func finish() async {
        await witness.expect("an operation never completes") {
            self.queue.with { $0 }?.setPaused(false)
            self.witness.openGates()
        } _: {
            self.pending.isEmptied()
        }
        await witness.expect("an operation still has its turn") { self.premises.isEmpty }
        premises.checkOrder()
        if let queue = queue.with({ $0.take() }) {
            await witness.expect("it is not empty") { queue.isEmpty() }
            let drained = queue.drained()
            await witness.expect("it is empty, and does not say so") { drained.isCompleted }
        }
        await witness.expect("something is kept") { self.pending.isEmptied() && self.witness.census.alive == 0 }
    }
}
