// Queue programs: the actions of four threads on a queue, with keys or without, or on a lock, and the first fault.

import Dispatch
import Futures

/// A queue or a lock, as a program uses it.
struct QueueFace: Sendable {
    /// What a visit's group is.
    enum Groups { case none, keys, priorities }

    let queue: any TurnQueue
    let groups: Groups
    /// Permits are taken and released, and nothing is aborted, paused or closed.
    let isLock: Bool
    let giver: @Sendable (Visit) -> any TurnGiver<Void>
    var hasWriters = false
    var batches: TurnsOnScheduler<FutureQueue<Void>>?
    var abortGroup: @Sendable (Int) -> Void
    /// Whether the queue keeps nothing when it is empty.
    var keepsNothing: @Sendable () -> Bool = { true }

    init(
        _ queue: any TurnQueue, groups: Groups = .none, isLock: Bool = false,
        _ giver: @escaping @Sendable (Visit) -> any TurnGiver<Void>
    ) {
        self.queue = queue
        self.groups = groups
        self.isLock = isLock
        self.giver = giver
        abortGroup = { _ in queue.cancelAll(with: Oops()) }
    }

    func options(_ visit: Visit, waiting: Duration?, running: Duration? = nil) -> TurnOptions {
        .priority(groups == .priorities ? [.normal, .high, .low][visit.group] : .normal)
            .waitTimeout(waiting).runTimeout(running)
    }
}

extension TurnGiver where Resource == Void {
    fileprivate func add(
        on scheduler: Scheduler, _ options: TurnOptions, _ body: @escaping @Sendable () throws -> Future<Int>,
        finally cleanup: (@Sendable (Void, Result<Int, any Error>) throws -> Future<Void>)?
    ) -> Future<Int> { on(scheduler).enqueue(with: options, body, finally: cleanup) }

    fileprivate func addTask(
        _ options: TurnOptions, _ body: @escaping @Sendable () async throws -> Int,
        finally cleanup: (@Sendable (Void, Result<Int, any Error>) async throws -> Void)?
    ) -> Future<Int> { run(with: options, body, finally: cleanup) }
}

/// The cleanup of an operation, which is called once for each time that the operation was called, in its turn.
private final class Cleanup: Sendable {
    private let witness: Witness
    private let leaves = Shared<[@Sendable () -> Void]>([])
    private let fails: Bool
    private let scheduler: Scheduler?
    /// The number of cleanups that have succeeded.
    let count = AtomicCounter()

    init(_ witness: Witness, _ random: inout SplitMix) {
        self.witness = witness
        fails = random.oneIn(5)
        scheduler = random.pick([nil, nil, .immediate, .background])
    }

    /// The operation is called. Its turn lasts until it has been cleaned up.
    func enter(_ leave: @escaping @Sendable () -> Void) { leaves.change { $0.append(leave) } }

    func cleanUp() throws -> Future<Void> {
        guard let leave = leaves.change({ $0.popLast() }) else {
            witness.complain("a cleanup without an operation")
            return Future()
        }
        let end: @Sendable () throws -> Void = { [count, fails] in
            leave()
            if fails { throw Oops() }
            count.up()
        }
        if let scheduler { return Future().delay(by: .microseconds(20), on: scheduler).map(on: .immediate, end) }
        try end()
        return Future()
    }
}

final class QueueProgram: ThreadProgram {
    let witness = Witness()
    private let face: Shared<QueueFace?>
    private let premises: Premises
    private let pending = Pending(), writers = Pending()
    /// Those whose priority changes, and whose order is not checked.
    private let moved = Pending()
    private let permits = Shared<[(permit: Permit, visit: Visit, leave: @Sendable () -> Void)]>([])
    private let maxWaitingCount: Int
    private let isLeft: Bool
    private let isClosed: Bool
    private let seed: UInt64

    init(_ face: QueueFace, _ random: inout SplitMix, limit: Int, groupLimit: Int = .max, maxWaitingCount: Int = .max) {
        self.face = Shared(face)
        premises = Premises(witness, limit: limit, groupLimit: groupLimit)
        self.maxWaitingCount = maxWaitingCount
        isLeft = random.oneIn(4)
        isClosed = !face.isLock && random.oneIn(4)
        seed = random.next()
    }

    func run(thread: Int, _ random: inout SplitMix) {
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            // Another thread may release the queue now; then this is its last reference.
            guard let face = face.value else { return }
            let queue = face.queue
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1: pending.cancelOne(&random)
            case 2: witness.openGates()
            case 3...5 where face.isLock: releaseOne(&random)
            case 6...8 where face.isLock: takePermit(face, &random)
            case 3: queue.isPaused = random.oneIn(2)
            case 4: awaitEmptiness(queue.drained(), &random)
            case 5: face.abortGroup(Int.random(in: 0..<3, using: &random))
            case 9: if let one = moved.one(&random) { queue.setPriority(random.pick([.high, .low]), of: one) }
            // Not if a thread releases the queue: waiting for capacity retains the queue, which may be paused.
            case 6 where !isLeft:
                let (visit, seed) = (visit(face, &random), random.next())
                let future = queue.capacityAvailable().flatMap(on: .immediate) { [self] in
                    var random = SplitMix(seed)
                    return enqueue(face, visit, &random)
                }
                add(future, nil, &random)
            default:
                let visit = visit(face, &random)
                add(enqueue(face, visit, &random), visit, &random)
            }
            if queue.waitingCount > maxWaitingCount { witness.complain("too many wait") }
            guard step == last else { continue }
            if isClosed, thread == 1 {
                if random.oneIn(2) {
                    _ = queue.close(with: Oops())
                    queue.cancelAll(with: Oops())
                } else {
                    awaitEmptiness(queue.close(), &random)
                }
                if queue.closedError == nil { witness.complain("a closed one accepts") }
            }
            if isLeft, thread == 0 { _ = self.face.change { $0.take() } }
        }
    }

    private func visit(_ face: QueueFace, _ random: inout SplitMix) -> Visit {
        let group = face.groups == .none ? 0 : Int.random(in: 0..<3, using: &random)
        return premises.visit(group: group, isAlone: face.hasWriters && random.oneIn(3))
    }

    private func enqueue(_ face: QueueFace, _ visit: Visit, _ random: inout SplitMix) -> Future<Int> {
        let (object, course) = (witness.census.make(), random.pick(Witness.Course.allCases))
        if let batches = face.batches, random.oneIn(5) {
            let inner = (0..<Int.random(in: 0..<4, using: &random)).map { _ in random.pick(Witness.Course.allCases) }
            return batches.enqueueBatch(with: face.options(visit, waiting: random.limit())) {
                [premises, witness] batch in
                let leave = premises.enter(visit)
                // They are in the turn of the batch.
                for course in inner {
                    batch.on(.immediate).enqueue { try object.pass(witness).work(course, premises.enter(visit)) }
                }
                return try witness.work(course, leave)
            }
        }
        let cleanup = random.oneIn(3) ? Cleanup(witness, &random) : nil
        let enter: @Sendable () -> (@Sendable () -> Void) = { [premises] in
            let leave = premises.enter(visit)
            guard let cleanup else { return leave }
            cleanup.enter(leave)
            return {}
        }
        let giver = face.giver(visit)
        let future: Future<Int>
        if random.oneIn(5) {
            var finally: (@Sendable (Void, Result<Int, any Error>) async throws -> Void)?
            if let cleanup { finally = { _, _ in try await cleanup.cleanUp().value } }
            let body: @Sendable () async throws -> Int = { [witness] in
                try await object.pass(witness).task(course, enter())
            }
            future = giver.addTask(face.options(visit, waiting: random.limit()), body, finally: finally)
        } else {
            var finally: (@Sendable (Void, Result<Int, any Error>) throws -> Future<Void>)?
            if let cleanup { finally = { _, _ in try cleanup.cleanUp() } }
            let scheduler = random.pick([Scheduler.immediate, .immediate, Scheduler(label: "serial"), .background])
            let options = face.options(visit, waiting: random.limit(), running: face.isLock ? nil : random.limit())
            let body: @Sendable () throws -> Future<Int> = { [witness] in
                try object.pass(witness).work(course, enter())
            }
            future = giver.add(on: scheduler, options, body, finally: finally)
        }
        guard let cleanup else { return future }
        return future.onValue(on: .immediate) { [witness] _ in
            if cleanup.count.value == 0 { witness.complain("a success without one of the cleanup") }
        }
    }

    private func takePermit(_ face: QueueFace, _ random: inout SplitMix) {
        let (visit, object) = (visit(face, &random), witness.census.make())
        let future = face.giver(visit).acquire(with: face.options(visit, waiting: random.limit()))
            .map(on: .immediate) { [premises, permits] permit in
                let leave = premises.enter(visit)
                permits.change { $0.append((permit, visit, leave)) }
                return object.pass(1)
            }
        add(future, visit, &random)
    }

    /// Releases a permit that any thread has acquired, in one of many ways.
    private func releaseOne(_ random: inout SplitMix, onlyWriters: Bool = false) {
        let found = permits.change { permits in
            permits.indices.filter { !onlyWriters || permits[$0].visit.isAlone }.randomElement(using: &random)
                .map { permits.remove(at: $0) }
        }
        guard let (permit, _, leave) = found else { return }
        leave()
        switch random.next() % 4 {
        case 0: permit.release()
        case 1:
            otherThreads.async { permit.release() }
            permit.release()
        case 2: otherThreads.async { permit.dispose() }
        // Not released explicitly: it is released with its future.
        default: break
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
        if isRepeated, let visit, random.oneIn(2) {
            visit.isMoved = true
            moved.add(end)
        }
        if visit?.isAlone == true { writers.add(end) }
    }

    private func awaitEmptiness(_ emptiness: @autoclosure () -> Future<Void>, _ random: inout SplitMix) {
        let start = witness.now()
        let end = emptiness().map(on: .immediate) { [premises] in
            premises.checkEmptiness(since: start)
            return 1
        }
        if random.oneIn(5) { end.cancel() }
        pending.add(end)
    }

    /// Returns whether all futures have completed, and no permit is left.
    private func areOver() -> Bool {
        isEmptied() && permits.value.isEmpty
    }

    /// Forgets the futures that have completed, which may keep permits. Returns whether none is left.
    private func isEmptied() -> Bool { [pending, writers, moved].map { $0.isEmptied() }.allSatisfy { $0 } }

    func finish() async {
        var random = SplitMix(seed)
        if let face = face.value, face.hasWriters {
            // Does not open gates: only a writer blocks readers.
            await witness.expect("readers wait, though no writer does") {
                self.writers.cancelAll()
                self.releaseOne(&random, onlyWriters: true)
            } _: {
                isEmptied() || face.queue.waitingCount == 0
            }
        }
        await witness.expect("an operation never completes") {
            self.face.value?.queue.isPaused = false
            self.witness.openGates()
            self.releaseOne(&random)
        } _: {
            areOver()
        }
        await witness.expect("an operation still has its turn") { self.premises.isEmpty }
        premises.checkOrder()
        if let face = face.change({ $0.take() }) {
            let queue = face.queue
            await witness.expect("it is not empty") {
                queue.isEmpty && queue.waitingCount == 0 && queue.runningCount == 0 && face.keepsNothing()
            }
            let drained = queue.drained()
            await witness.expect("it is empty, and does not say so") { drained.isCompleted }
        }
        await witness.expect("something is kept") { areOver() && self.witness.census.alive == 0 }
    }
}
