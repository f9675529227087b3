// Semaphores and locks under threads: never over the limit, in order, with random cancels and releases.

import Dispatch
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct LockPrograms {
        @Test func `under random cancels, a semaphore keeps its number of permits and grants them in order`() async {
            await run { random in
                let count = random.pick([1, 1, 2, 3])
                return (.semaphore(FutureSemaphore(count: count)), count)
            }
        }

        @Test func `under random cancels, a lock has one holder at a time, in order`() async {
            await run { _ in (.mutex(FutureMutex()), 1) }
        }

        @Test func `under random cancels, a writer is exclusive, and readers and writers are admitted in order`() async
        {
            await run { _ in (.readWrite(FutureReadWriteLock()), .max) }
        }

        private func run(_ make: (inout SplitMix) -> (Lock, limit: Int)) async {
            await runPrograms(rounds / 2) { random in
                let (lock, limit) = make(&random)
                return LockRun(lock, limit: limit, &random)
            }
        }
    }
}

private enum Lock: Sendable {
    case semaphore(FutureSemaphore)
    case mutex(FutureMutex)
    case readWrite(FutureReadWriteLock)

    func permit(for visit: Visit, _ most: Duration?) -> Future<Permit> {
        switch self {
        case .semaphore(let lock): lock.acquire(with: .priority(visit.priority).waitTimeout(most))
        case .mutex(let lock): lock.acquire(with: .waitTimeout(most))
        case .readWrite(let lock):
            visit.isAlone
                ? lock.writing.acquire(with: .waitTimeout(most)) : lock.reading.acquire(with: .waitTimeout(most))
        }
    }

    func perform(
        for visit: Visit, on scheduler: Scheduler, _ most: Duration?,
        _ body: @escaping @Sendable () throws -> Future<Int>
    ) -> Future<Int> {
        switch self {
        case .semaphore(let lock):
            lock.on(scheduler).enqueue(with: .priority(visit.priority).waitTimeout(most), body)
        case .mutex(let lock): lock.on(scheduler).enqueue(with: .waitTimeout(most), body)
        case .readWrite(let lock):
            visit.isAlone
                ? lock.writing.on(scheduler).enqueue(with: .waitTimeout(most), body)
                : lock.reading.on(scheduler).enqueue(with: .waitTimeout(most), body)
        }
    }

    func task(
        for visit: Visit, _ most: Duration?, _ body: @escaping @Sendable () async throws -> Int
    ) -> Future<Int> {
        switch self {
        case .semaphore(let lock): lock.run(with: .priority(visit.priority).waitTimeout(most), body)
        case .mutex(let lock): lock.run(with: .waitTimeout(most), body)
        case .readWrite(let lock):
            visit.isAlone
                ? lock.writing.run(with: .waitTimeout(most), body) : lock.reading.run(with: .waitTimeout(most), body)
        }
    }

    var waitingCount: Int {
        switch self {
        case .semaphore(let lock): lock.waitingCount
        case .mutex(let lock): lock.waitingCount
        case .readWrite(let lock): lock.waitingCount
        }
    }

    var isFree: Bool {
        switch self {
        case .semaphore(let lock): lock.runningCount == 0 && waitingCount == 0
        case .mutex(let lock): lock.isEmpty && waitingCount == 0
        case .readWrite(let lock): lock.runningCount == 0 && waitingCount == 0
        }
    }
}

extension Visit {
    /// Permits of one group have one priority, so they are granted in order.
    fileprivate var priority: QueuePriority { [.normal, .high, .low][group] }
}

/// A lock, the actions of four threads on it, and its first fault.
private final class LockRun: ThreadProgram {
    private let witness = Witness()
    private let lock: Guarded<Lock?>
    private let premises: Premises
    private let pending = Pending()
    private let writers = Pending()
    private let permits = Guarded<[(permit: Permit, visit: Visit, leave: @Sendable () -> Void)]>([])
    private let hasPriorities: Bool
    private let hasWriters: Bool
    private let isLeft: Bool
    private let seed: UInt64

    init(_ lock: Lock, limit: Int, _ random: inout SplitMix) {
        self.lock = Guarded(lock)
        premises = Premises(witness, limit: limit)
        if case .semaphore = lock { hasPriorities = random.oneIn(2) } else { hasPriorities = false }
        if case .readWrite = lock { hasWriters = true } else { hasWriters = false }
        isLeft = random.oneIn(4)
        seed = random.next()
    }

    var complaint: String? { witness.complaint }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        let last = Int.random(in: 0..<10, using: &random)
        for step in 0..<10 {
            // Another thread may release the lock now; then this is its last reference.
            guard let lock = lock.with({ $0 }) else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: pending.cancelOne(&random)
            case 2: witness.openGates()
            case 3, 4: releaseOne(&random)
            case 5, 6: takePermit(lock, &random)
            default: perform(lock, &random)
            }
            if step == last, isLeft, thread == 0 { _ = self.lock.with { $0.take() } }
        }
    }

    private func visit(_ random: inout SplitMix) -> Visit {
        let group = hasPriorities ? Int.random(in: 0..<3, using: &random) : 0
        return premises.visit(group: group, isAlone: hasWriters && random.oneIn(3))
    }

    private func takePermit(_ lock: Lock, _ random: inout SplitMix) {
        let (visit, object) = (visit(&random), witness.census.make())
        let future = lock.permit(for: visit, random.limit()).map(on: .immediate) { [premises, permits] permit in
            let leave = premises.enter(visit)
            permits.with { $0.append((permit, visit, leave)) }
            return object.pass(1)
        }
        add(future, visit, &random)
    }

    private func perform(_ lock: Lock, _ random: inout SplitMix) {
        let (visit, object) = (visit(&random), witness.census.make())
        let course = random.pick(Witness.Course.allCases)
        let future =
            if random.oneIn(5) {
                lock.task(for: visit, random.limit()) { [premises, witness] in
                    try await object.pass(witness).task(course, premises.enter(visit))
                }
            } else {
                lock.perform(
                    for: visit, on: random.pick([.immediate, .immediate, .background, Scheduler(label: "serial")]),
                    random.limit()
                ) { [premises, witness] in
                    try object.pass(witness).work(course, premises.enter(visit))
                }
            }
        add(future, visit, &random)
    }

    private func add(_ future: Future<Int>, _ visit: Visit, _ random: inout SplitMix) {
        let isRepeated = random.oneIn(4)
        visit.waits = isRepeated ? nil : witness.now()
        var end = future.onError(on: .immediate) { [witness] error in
            guard error is QueueError, visit.isInside || !isRepeated && visit.enters != nil else { return }
            witness.complain("it came in, and waited too long")
        }
        if isRepeated {
            end = end.onErrorRepeat(on: .immediate, maxRepetitions: 2) { !($0 is CancellationError) }
        }
        if random.oneIn(4) { end.cancel() }
        pending.add(end)
        if visit.isAlone { writers.add(end) }
    }

    /// Releases a permit that any thread has acquired, in one of many ways.
    private func releaseOne(_ random: inout SplitMix, onlyWriters: Bool = false) {
        let found = permits.with { permits in
            permits.indices.filter { !onlyWriters || permits[$0].visit.isAlone }.randomElement(using: &random)
                .map { permits.remove(at: $0) }
        }
        guard let (permit, _, leave) = found else { return }
        leave()
        switch random.next() % 4 {
        case 0: permit.release()
        case 1:
            DispatchQueue.global().async { permit.release() }
            permit.release()
        case 2: DispatchQueue.global().async { permit.dispose() }
        // Not released explicitly: it is released with its future.
        default: break
        }
    }

    /// Removes the futures that have completed, and their permits. Returns whether none is left.
    private func areOver() -> Bool {
        [pending.isEmptied(), writers.isEmptied()] == [true, true]
    }

    func finish() async {
        var random = SplitMix(seed)
        if hasWriters, let lock = lock.with({ $0 }) {
            // Does not open gates: only a writer blocks readers.
            await witness.expect("readers wait, though no writer does") {
                self.writers.cancelAll()
                self.releaseOne(&random, onlyWriters: true)
            } _: {
                self.areOver() || lock.waitingCount == 0
            }
        }
        await witness.expect("a waiter never gets its turn") {
            self.witness.openGates()
            self.releaseOne(&random)
        } _: {
            self.areOver() && self.permits.with { $0.isEmpty }
        }
        await witness.expect("an operation still has its turn") { self.premises.isEmpty }
        premises.checkOrder()
        if let lock = lock.with({ $0.take() }) {
            await witness.expect("a turn is lost") { lock.isFree }
        }
        await witness.expect("something is kept") { self.witness.census.alive == 0 }
    }
}
